// SPDX-License-Identifier: GPL-3.0-only
#include "ui/theme/style.h"

#include <utility>

namespace aether::ui {
namespace {

// @name@ stands for a token. Widgets are named by object name, or by the property "role".
constexpr char kSheet[] = R"(
QMainWindow, #canvas, #canvas > QWidget > QWidget#panels { background: @window@; }
QLabel { background: transparent; }
#topBar { background: @surface@; border: 0; border-bottom: 1px solid @border@; }
#sidebar, #inspector { background: @surface@; border: 0; }
#sidebar { border-right: 1px solid @border@; }
#inspector { border-left: 1px solid @border@; }
#sidebarBody, #inspectorBody, #runBar, #resultsPage { background: @surface@; }
#runBar { border-top: 1px solid @border@; }
QScrollArea { border: 0; background: transparent; }
*[role="heading"] { color: @muted@; }
*[role="muted"] { color: @muted@; }
*[role="danger"] { color: @danger@; }
*[role="warn"] { color: @warn@; }
*[role="ok"] { color: @ok@; }
QPushButton, QToolButton { border: 1px solid @border@; border-radius: 7px; padding: 6px 12px;
    background: @surface@; color: @text@; }
QPushButton:hover, QToolButton:hover { background: @rowHover@; border-color: @axis@; }
QPushButton:pressed, QToolButton:pressed { background: @rowSelected@; }
QPushButton:focus, QToolButton:focus { border: 2px solid @accent@; padding: 5px 11px; }
QPushButton:disabled, QToolButton:disabled { color: @muted@; background: @surfaceAlt@;
    border-color: @border@; }
QPushButton[role="primary"] { background: @accent@; border-color: @accent@; color: @onAccent@;
    font-weight: 600; }
QPushButton[role="primary"]:focus { border: 2px solid @text@; padding: 5px 11px; }
QPushButton[role="primary"]:disabled { color: @muted@; background: @surfaceAlt@;
    border-color: @border@; }
QToolButton[role="chip"] { border-radius: 13px; padding: 4px 11px; color: @text2@; }
QToolButton[role="chip"]:checked { background: @rowSelected@; border-color: @accent@;
    color: @text@; font-weight: 600; }
QToolButton[role="chip"]:focus { border: 2px solid @accent@; padding: 3px 10px; }
QToolButton[role="chip"]:checked:disabled { background: @track@; color: @text2@; }
QToolButton[role="chip"]:disabled { color: @muted@; background: @surfaceAlt@;
    border: 1px dashed @axis@; }
QToolButton[role="tab"] { border: 0; border-radius: 7px; padding: 6px 12px; color: @text2@; }
QToolButton[role="tab"]:checked { background: @rowSelected@; color: @text@; font-weight: 600; }
QToolButton[role="tab"]:focus { border: 2px solid @accent@; padding: 4px 10px; }
QToolButton::menu-indicator { image: none; width: 0; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { border: 1px solid @border@; border-radius: 7px;
    padding: 5px 8px; background: @surface@; color: @text@; selection-background-color: @accent@;
    selection-color: @onAccent@; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid @accent@;
    padding: 4px 7px; }
QComboBox::drop-down { border: 0; width: 22px; }
QComboBox QAbstractItemView { background: @surface@; color: @text@; border: 1px solid @border@;
    selection-background-color: @rowSelected@; selection-color: @text@; outline: 0; }
QListView, QTreeView, QTableView { border: 0; background: @surface@; color: @text@; outline: 0;
    gridline-color: transparent; selection-background-color: @rowSelected@;
    selection-color: @text@; alternate-background-color: @surfaceAlt@; }
QListView::item { padding: 4px 6px; border-radius: 6px; }
QListView::item:hover { background: @rowHover@; }
QListView::item:selected { background: @rowSelected@; color: @text@; }
QListView:focus, QTableView:focus { border: 2px solid @accent@; border-radius: 8px; }
QHeaderView::section { background: @surface@; border: 0; border-bottom: 1px solid @border@;
    color: @muted@; padding: 4px 6px; }
QProgressBar { border: 0; border-radius: 3px; background: @track@; max-height: 6px;
    min-height: 6px; }
QProgressBar::chunk { border-radius: 3px; background: @accent@; }
QSpinBox::up-button, QSpinBox::down-button { border: 0; width: 18px; background: transparent; }
QSpinBox::up-arrow { image: url(:/controls/up-@theme@.svg); width: 12px; height: 12px; }
QSpinBox::down-arrow, QComboBox::down-arrow { image: url(:/controls/down-@theme@.svg); width: 12px;
    height: 12px; }
QCheckBox { color: @text@; spacing: 8px; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid @axis@; border-radius: 4px;
    background: @surface@; }
QCheckBox::indicator:hover { border-color: @accent@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@;
    image: url(:/controls/check-@theme@.svg); }
QCheckBox::indicator:checked:disabled { background: @axis@; border-color: @axis@; }
QCheckBox::indicator:focus { border: 2px solid @accent@; }
QCheckBox:focus { color: @accent@; }
QCheckBox:disabled { color: @muted@; }
QDockWidget { color: @text@; }
QMainWindow::separator { width: 1px; height: 1px; background: @border@; }
QMenu { background: @surface@; color: @text@; border: 1px solid @border@; padding: 4px; }
QMenu::item { padding: 6px 22px 6px 14px; border-radius: 5px; }
QMenu::item:selected { background: @rowSelected@; }
QMenu::item:disabled { color: @muted@; }
QMenu::separator { height: 1px; background: @border@; margin: 4px 8px; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar::handle:vertical { background: @axis@; border-radius: 3px; min-height: 28px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle:horizontal { background: @axis@; border-radius: 3px; min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @surface@; color: @text@; border: 1px solid @border@; padding: 5px; }
#notice { background: @rowSelected@; border-bottom: 1px solid @border@; }
)";

}  // namespace

QPalette paletteOf(const Tokens& t) {
    QPalette palette;
    const std::pair<QPalette::ColorRole, QColor> roles[] = {
        {QPalette::Window, t.window},
        {QPalette::WindowText, t.text},
        {QPalette::Base, t.surface},
        {QPalette::AlternateBase, t.surfaceAlt},
        {QPalette::Text, t.text},
        {QPalette::PlaceholderText, t.muted},
        {QPalette::Button, t.surface},
        {QPalette::ButtonText, t.text},
        {QPalette::BrightText, t.danger},
        {QPalette::Highlight, t.accent},
        {QPalette::HighlightedText, t.onAccent},
        {QPalette::ToolTipBase, t.surface},
        {QPalette::ToolTipText, t.text},
        {QPalette::Link, t.accent},
        {QPalette::LinkVisited, t.accent},
        {QPalette::Light, t.surface},
        {QPalette::Midlight, t.surfaceAlt},
        {QPalette::Mid, t.border},
        {QPalette::Dark, t.axis},
        {QPalette::Shadow, mix(t.window, Qt::black, 0.5)}};
    for (const auto& [role, color] : roles)
        palette.setColor(QPalette::All, role, color);
    for (const auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.muted);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, t.axis);
    return palette;
}

QString styleSheetOf(const Tokens& t) {
    const std::pair<const char*, QColor> names[] = {{"@window@", t.window},
                                                    {"@surface@", t.surface},
                                                    {"@surfaceAlt@", t.surfaceAlt},
                                                    {"@border@", t.border},
                                                    {"@axis@", t.axis},
                                                    {"@text@", t.text},
                                                    {"@text2@", t.text2},
                                                    {"@muted@", t.muted},
                                                    {"@accent@", t.accent},
                                                    {"@onAccent@", t.onAccent},
                                                    {"@ok@", t.ok},
                                                    {"@warn@", t.warn},
                                                    {"@danger@", t.danger},
                                                    {"@track@", t.track},
                                                    {"@rowHover@", t.rowHover},
                                                    {"@rowSelected@", t.rowSelected}};
    QString sheet = QString::fromLatin1(kSheet);
    for (const auto& [name, color] : names)
        sheet.replace(QLatin1String(name), color.name());
    // The dark tokens are those whose text is light.
    const bool dark = t.text.lightness() > t.surface.lightness();
    return sheet.replace(QLatin1String("@theme@"), QLatin1String(dark ? "dark" : "light"));
}

}  // namespace aether::ui
