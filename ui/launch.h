// SPDX-License-Identifier: GPL-3.0-only
#pragma once

namespace aether::ui {

/// No argument, `window`, or something that draws a figure.
bool needsGraphics(int argc, char** argv);

/// The window, or a verb with figures (then with Qt's offscreen platform, so that no display is
/// needed). Returns the exit code.
int launch(int argc, char** argv);

}  // namespace aether::ui
