// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/tokens.h"

#include <cmath>
#include <utility>

namespace aether::ui {
namespace {

QColor rgb(unsigned value) {
    return QColor::fromRgb(value);
}

Tokens lightTokens() {
    Tokens t;
    t.window = rgb(0xF3F4F7);
    t.surface = rgb(0xFFFFFF);
    t.surfaceAlt = rgb(0xF8F9FB);
    t.border = rgb(0xDFE3EA);
    t.grid = rgb(0xE8EBF0);
    t.axis = rgb(0xB9C0CC);
    t.text = rgb(0x14181F);
    t.text2 = rgb(0x434C5A);
    t.muted = rgb(0x5F6979);
    t.accent = rgb(0x4B4ACF);
    t.onAccent = rgb(0xFFFFFF);
    t.ok = rgb(0x0B7A4B);
    t.warn = rgb(0x8A5A00);
    t.danger = rgb(0xB3261E);
    t.hatch = rgb(0xB4BBC7);
    t.track = rgb(0xEEF0F4);
    t.rowHover = rgb(0xF5F6F9);
    t.rowSelected = rgb(0xEDEDFB);
    t.aether = rgb(0x0072B2);
    t.pytorch = rgb(0xD55E00);
    t.third = rgb(0xA8478A);
    t.other = rgb(0x7A8494);
    t.forward = rgb(0x2A9D8F);
    t.backward = rgb(0x5B3A93);
    t.optimizer = rgb(0xB08A3C);
    return t;
}

Tokens darkTokens() {
    Tokens t;
    t.window = rgb(0x0E1116);
    t.surface = rgb(0x171B22);
    t.surfaceAlt = rgb(0x1C2129);
    t.border = rgb(0x2B323D);
    t.grid = rgb(0x252B35);
    t.axis = rgb(0x465060);
    t.text = rgb(0xEEF1F5);
    t.text2 = rgb(0xBAC3CF);
    t.muted = rgb(0x8E98A8);
    t.accent = rgb(0x9D9BFF);
    t.onAccent = rgb(0x11131A);
    t.ok = rgb(0x4CC38A);
    t.warn = rgb(0xE3B341);
    t.danger = rgb(0xFF8A80);
    t.hatch = rgb(0x566071);
    t.track = rgb(0x20262F);
    t.rowHover = rgb(0x1C222B);
    t.rowSelected = rgb(0x26273F);
    t.aether = rgb(0x56B4E9);
    t.pytorch = rgb(0xE69F00);
    t.third = rgb(0xE08BBF);
    t.other = rgb(0x8E98A8);
    t.forward = rgb(0x5CCFBE);
    t.backward = rgb(0x8E5BB5);
    t.optimizer = rgb(0xC2A24F);
    return t;
}

/// One channel of sRGB made linear (WCAG 2.1, relative luminance).
double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

}  // namespace

QColor Tokens::of(Series series) const {
    switch (series) {
        case Series::Aether:
            return aether;
        case Series::PyTorch:
            return pytorch;
        case Series::Third:
            return third;
        case Series::Other:
            break;
    }
    return other;
}

QColor Tokens::of(Phase phase) const {
    switch (phase) {
        case Phase::Forward:
            return forward;
        case Phase::Backward:
            return backward;
        case Phase::Optimizer:
            return optimizer;
        case Phase::Other:
            break;
    }
    return other;
}

const Tokens& Tokens::get(Theme theme) {
    static const Tokens light = lightTokens();
    static const Tokens dark = darkTokens();
    return theme == Theme::Light ? light : dark;
}

double contrast(const QColor& a, const QColor& b) {
    double high = luminance(a), low = luminance(b);
    if (high < low) std::swap(high, low);
    return (high + 0.05) / (low + 0.05);
}

QColor textOn(const QColor& background) {
    const QColor& dark = Tokens::get(Theme::Dark).onAccent;
    const QColor& light = Tokens::get(Theme::Light).onAccent;
    return contrast(dark, background) > contrast(light, background) ? dark : light;
}

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto between = [share](float from, float to) {
        return from + (to - from) * static_cast<float>(share);
    };
    return QColor::fromRgbF(between(a.redF(), b.redF()), between(a.greenF(), b.greenF()),
                            between(a.blueF(), b.blueF()));
}

}  // namespace aether::ui
