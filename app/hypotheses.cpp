// SPDX-License-Identifier: GPL-3.0-only
#include "app/hypotheses.h"

namespace aether::app {
namespace {

using nlohmann::json;

/// Sets `key` to `value` in every layer of these types that has another value there.
json withLayers(json workload, const std::vector<std::string>& types, const char* key,
                double value) {
    for (json& layer : workload["layers"]) {
        for (const std::string& type : types) {
            if (layer["type"] == type && layer.contains(key)) layer[key] = value;
        }
    }
    return workload;
}

json withMirroredMomentum(json workload) {
    for (json& layer : workload["layers"]) {
        if (layer["type"] == "batch_norm")
            layer["momentum"] = 1.0 - layer["momentum"].get<double>();
    }
    return workload;
}

json with(json workload, const json::json_pointer& place, double value) {
    workload[place] = value;
    return workload;
}

}  // namespace

std::vector<Hypothesis> hypothesesFor(const json& workload) {
    const auto at = [](const char* text) { return json::json_pointer(text); };
    std::vector<Hypothesis> all{
        {"no-dropout", "dropout were missing", false,
         withLayers(workload, {"dropout", "spatial_dropout"}, "rate", 0)},
        {"no-l2", "the L2 term were missing", false,
         withLayers(workload, {"convolution", "dense"}, "l2", 0)},
        {"no-weight-decay", "weight decay were missing", false,
         with(workload, at("/optimizer/weight_decay"), 0)},
        {"no-learning-rate-decay", "learning-rate decay were missing", false,
         with(workload, at("/optimizer/learning_rate_decay"), 0)},
        {"no-label-smoothing", "label smoothing were missing", false,
         with(workload, at("/loss/label_smoothing"), 0)},
        {"mirrored-momentum", "batch norm's momentum were 1 − momentum", false,
         withMirroredMomentum(workload)},
        {"momentum-0.99", "batch norm's momentum were 0.99", false,
         withLayers(workload, {"batch_norm"}, "momentum", 0.99)},
        {"batch-norm-epsilon", "batch norm's epsilon were 1e-3", false,
         withLayers(workload, {"batch_norm"}, "epsilon", 1e-3)},
        {"adam-epsilon", "Adam's epsilon were 1e-8 (PyTorch's default)", false,
         with(workload, at("/optimizer/epsilon"), 1e-8)},
        {"confused-layout", "images in NHWC were read as NCHW", true, workload},
    };
    std::erase_if(all,
                  [&](const Hypothesis& h) { return !h.confusedLayout && h.workload == workload; });
    return all;
}

}  // namespace aether::app
