// SPDX-License-Identifier: GPL-3.0-only
#include "ui/figure/axis.h"

#include <algorithm>
#include <cmath>

namespace aether::ui {
namespace {

constexpr double kFarBeyond = 6;
constexpr double kRoomBeforeTheCut = 1.35;
constexpr double kHeadroom = 1.02;

double niceStep(double raw) {
    const double power = std::pow(10, std::floor(std::log10(raw)));
    const double digit = raw / power;
    return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}

}  // namespace

Axis axisFor(std::vector<double> lengths, int ticks) {
    Axis axis;
    std::sort(lengths.begin(), lengths.end());
    const std::size_t n = lengths.size();
    double largest = lengths.empty() || !(lengths.back() > 0) ? 1 : lengths.back() * kHeadroom;
    for (std::size_t i = n - n / 3; i > 0 && i < n; ++i) {
        if (lengths[i] <= kFarBeyond * lengths[i - 1]) continue;
        largest = lengths[i - 1] * kRoomBeforeTheCut;
        axis.cut = true;
        break;
    }
    axis.max = largest;
    axis.step = niceStep(largest / std::max(1, ticks));
    axis.decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(axis.step) - 1e-9)));
    return axis;
}

}  // namespace aether::ui
