// SPDX-License-Identifier: MIT
#include "engine/cpu/fused/plan.h"

#include "common/failure.h"

namespace aether::engine::cpu {
namespace {

[[noreturn]] void unsupported(const Layer& layer, const std::string& why) {
    throw Failure(FailureKind::Unsupported,
                  "layer " + layer.name + ": " + why + " (aether-engine)");
}

void check(const Layer& layer) {
    if (layer.type == LayerType::Convolution && layer.kernel % 2 == 0) {
        unsupported(layer, "kernel " + std::to_string(layer.kernel) + " is even");
    }
    if (layer.output.elements() < 1) unsupported(layer, "its output is empty");
    if (layer.rate < 0 || layer.rate >= 1) unsupported(layer, "its rate is not in [0, 1)");
}

bool isHeadLayer(LayerType type) {
    return type == LayerType::GlobalAveragePool || type == LayerType::Dense ||
           type == LayerType::Relu || type == LayerType::LeakyRelu || type == LayerType::Dropout ||
           type == LayerType::SpatialDropout;
}

std::size_t headStart(const Workload& workload) {
    std::size_t start = workload.layers.size();
    for (std::size_t i = start; i-- > 0 && isHeadLayer(workload.layers[i].type);) {
        const LayerType type = workload.layers[i].type;
        if (type == LayerType::GlobalAveragePool || type == LayerType::Dense) start = i;
    }
    return start;
}

/// Adds the layer to the link if its place there is still free.
bool absorb(Link& link, const Layer& layer, std::size_t index) {
    switch (layer.type) {
        case LayerType::BatchNorm:
            if (!link.empty()) return false;
            link.norm = index;
            return true;
        case LayerType::Relu:
        case LayerType::LeakyRelu:
            if (link.activation || link.pool || link.drop) return false;
            link.activation = index;
            link.slope = layer.type == LayerType::Relu ? 0 : layer.slope;
            return true;
        case LayerType::MaxPool:
            if (link.pool || link.drop) return false;
            link.pool = index;
            link.edge = layer.pool;
            return true;
        case LayerType::SpatialDropout:
            if (link.drop) return false;
            link.drop = index;
            return true;
        default:
            return false;
    }
}

class Planner {
  public:
    explicit Planner(const Workload& workload) : workload_(workload) {
        plan_.edges.push_back({workload.input, workload.input, {}, true, false});
    }

    Plan plan() {
        const std::size_t end = headStart(workload_);
        for (std::size_t i = 0; i < end;) {
            const Layer& layer = workload_.layers[i];
            check(layer);
            if (last().bytes && layer.type != LayerType::Convolution) {
                append(StageKind::Input, "input", 0, last().loaded);
            }
            if (absorb(last().link, layer, i)) {
                last().loaded = layer.output;
                if (last().link.norm) last().needsGradient = true;
                ++i;
                continue;
            }
            switch (layer.type) {
                case LayerType::Convolution:
                    append(StageKind::Convolution, layer.name, i, layer.output);
                    break;
                case LayerType::Dense:
                    append(StageKind::Dense, layer.name, i, layer.output);
                    break;
                case LayerType::GlobalAveragePool:
                    append(StageKind::AveragePool, layer.name, i, layer.output);
                    break;
                case LayerType::Dropout:
                    append(StageKind::Dropout, layer.name, i, layer.output);
                    break;
                default:  // fits only an empty link
                    append(StageKind::Copy, "before " + layer.name, 0, last().loaded);
                    continue;
            }
            ++i;
        }
        if (last().bytes) append(StageKind::Input, "input", 0, last().loaded);
        plan_.headInput = plan_.edges.size() - 1;
        for (std::size_t i = end; i < workload_.layers.size(); ++i) {
            check(workload_.layers[i]);
            plan_.head.push_back(i);
        }
        return plan_;
    }

  private:
    Edge& last() { return plan_.edges.back(); }

    void append(StageKind kind, const std::string& name, std::size_t layer, const Shape& output) {
        const bool trained = kind == StageKind::Convolution || kind == StageKind::Dense;
        const bool needs = trained || last().needsGradient;
        const std::size_t from = plan_.edges.size() - 1;
        plan_.edges.push_back({output, output, {}, false, needs});
        plan_.stages.push_back({kind, name, layer, from, from + 1});
    }

    const Workload& workload_;
    Plan plan_;
};

double multiplyAdds(const Layer& layer) {
    const auto outputs = static_cast<double>(layer.output.elements());
    if (layer.type == LayerType::Convolution) {
        return outputs * static_cast<double>(layer.kernel * layer.kernel * layer.input.channels);
    }
    if (layer.type == LayerType::Dense)
        return outputs * static_cast<double>(layer.input.elements());
    return 0;
}

}  // namespace

Plan planNetwork(const Workload& workload) {
    return Planner(workload).plan();
}

std::vector<StageInfo> describeStages(const Workload& workload, const Plan& plan,
                                      std::int64_t batch, std::int64_t storedBytes) {
    const auto images = static_cast<double>(batch);
    const auto bytes = [&](const Edge& edge, const Shape& shape) {
        return images * static_cast<double>(shape.elements() * (edge.bytes ? 1 : storedBytes));
    };
    const auto flops = [&](const Stage& stage) {
        const bool heavy = stage.kind == StageKind::Convolution || stage.kind == StageKind::Dense;
        return heavy ? 2 * images * multiplyAdds(workload.layers[stage.layer]) : 0.0;
    };
    std::vector<StageInfo> all{{"preprocess", "other", 0, bytes(plan.edges[0], workload.input)}};
    for (const Stage& stage : plan.stages) {
        const Edge &from = plan.edges[stage.from], &to = plan.edges[stage.to];
        all.push_back(
            {stage.name, "forward", flops(stage), bytes(from, from.stored) + bytes(to, to.stored)});
    }
    double headFlops = 0;
    for (const std::size_t i : plan.head)
        headFlops += 6 * images * multiplyAdds(workload.layers[i]);
    const Edge& input = plan.edges[plan.headInput];
    all.push_back(
        {"head", "other", headFlops, 2 * bytes(input, input.stored) + bytes(input, input.loaded)});
    for (std::size_t i = plan.stages.size(); i-- > 0;) {
        const Stage& stage = plan.stages[i];
        const Edge &from = plan.edges[stage.from], &to = plan.edges[stage.to];
        double traffic = bytes(to, to.stored) + bytes(to, to.loaded) + bytes(from, from.stored);
        if (from.needsGradient) traffic += bytes(from, from.loaded);
        all.push_back(
            {stage.name, "backward", flops(stage) * (from.needsGradient ? 2 : 1), traffic});
    }
    all.push_back({"optimizer", "optimizer", 0,
                   static_cast<double>(workload.parameterCount()) * 7 * sizeof(float)});
    return all;
}

}  // namespace aether::engine::cpu
