# SPDX-License-Identifier: MIT
"""The training step of a workload file in PyTorch, as a runner of run protocol 1 (docs/protocol.md)."""

RUNNER = "aether-reference-python"
FRAMEWORK = "pytorch"
