# SPDX-License-Identifier: MIT
"""AdamW as docs/workload.md defines it: learning-rate decay, epsilon outside the root, weight decay on weights only."""

import torch


class AdamW:
    """Moments of all parameters and one update. `groups`: (parameters, weight decay) pairs."""

    def __init__(self, parameters, recipe):
        self.recipe = recipe
        self.parameters = [p for p, _ in parameters]
        self.decays = [recipe.weight_decay if decays else 0.0 for _, decays in parameters]
        self.moments = [torch.zeros_like(p) for p in self.parameters]
        self.squares = [torch.zeros_like(p) for p in self.parameters]

    def reset(self):
        for tensor in self.moments + self.squares:
            tensor.zero_()

    def _rate(self, number):
        return self.recipe.learning_rate / (1.0 + self.recipe.learning_rate_decay * number)

    @torch.no_grad()
    def update(self, gradients, number):
        """number: the step from 0, a float64 scalar tensor, so that a compiled step serves every number. The scalars
        are float64: 1 - beta2 ** t in float32 would be wrong by 3e-5 at the first step."""
        r = self.recipe
        t = number + 1.0
        rate = self._rate(number)
        step_size = rate / (1.0 - r.beta1**t)
        root = torch.sqrt(1.0 - r.beta2**t)
        for p, g, m, v, decay in zip(self.parameters, gradients, self.moments, self.squares, self.decays):
            m.lerp_(g, 1.0 - r.beta1)
            v.mul_(r.beta2).addcmul_(g, g, value=1.0 - r.beta2)
            if decay:
                p.mul_(1.0 - rate * decay)
            p.sub_(step_size * (m / (v.sqrt() / root + r.epsilon)))


class FusedAdamW(AdamW):
    """The same by torch's fused kernels: the faster one where nothing is compiled."""

    def __init__(self, parameters, recipe):
        super().__init__(parameters, recipe)
        self.steps = [torch.zeros((), dtype=torch.float32) for _ in self.parameters]

    @torch.no_grad()
    def update(self, gradients, number):
        r = self.recipe
        for decay in set(self.decays):
            chosen = [i for i, d in enumerate(self.decays) if d == decay]

            def pick(tensors, chosen=chosen):
                return [tensors[i] for i in chosen]

            steps = pick(self.steps)
            torch._foreach_copy_(steps, [number + 1.0] * len(steps))
            torch._fused_adamw_(
                pick(self.parameters),
                pick(gradients),
                pick(self.moments),
                pick(self.squares),
                [],
                steps,
                lr=self._rate(number).item(),
                beta1=r.beta1,
                beta2=r.beta2,
                weight_decay=decay,
                eps=r.epsilon,
                amsgrad=False,
                maximize=False,
            )
