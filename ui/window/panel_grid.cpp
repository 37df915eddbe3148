// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/panel_grid.h"

#include <QMenu>
#include <algorithm>

namespace aether::ui {
namespace {

constexpr int kMinColumn = 400, kMostColumns = 3, kGap = 16, kMargin = 20;

}  // namespace

PanelGrid::PanelGrid(QWidget* parent) : QWidget(parent), tokens_(&Tokens::get(Theme::Light)) {
    setObjectName(QStringLiteral("panels"));
}

PanelView* PanelGrid::makeView() {
    auto* view = new PanelView(this);
    view->chart()->setTokens(*tokens_);
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view, &PanelView::barChosen, this, &PanelGrid::barChosen);
    connect(view, &PanelView::customContextMenuRequested, this, [this, view](const QPoint& at) {
        QMenu menu;
        menu.addAction(tr("Export this panel…"), this, [this, view] {
            const auto found = std::find(views_.begin(), views_.end(), view);
            Q_EMIT exportWanted(static_cast<int>(found - views_.begin()));
        });
        menu.exec(view->mapToGlobal(at));
    });
    view->show();
    return view;
}

void PanelGrid::setPanels(const std::vector<Panel>& panels) {
    bool heights = panels.size() != views_.size();
    while (views_.size() > panels.size()) {
        delete views_.back();
        views_.pop_back();
    }
    while (views_.size() < panels.size())
        views_.push_back(makeView());
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const int before = views_[i]->heightForWidth(views_[i]->width());
        views_[i]->setPanel(panels[i]);
        heights = heights || before != views_[i]->heightForWidth(views_[i]->width());
    }
    if (heights) arrange();
}

void PanelGrid::setTokens(const Tokens& tokens) {
    tokens_ = &tokens;
    for (PanelView* view : views_)
        view->chart()->setTokens(tokens);
}

void PanelGrid::setSelected(const std::vector<std::string>& keys) {
    for (PanelView* view : views_)
        view->chart()->setSelected(keys);
}

void PanelGrid::resizeEvent(QResizeEvent*) {
    arrange();
}

void PanelGrid::arrange() {
    const int room = width() - 2 * kMargin;
    const int most = std::clamp(static_cast<int>(views_.size()), 1, kMostColumns);
    columns_ = std::clamp((room + kGap) / (kMinColumn + kGap), 1, most);
    const int column = (room - kGap * (columns_ - 1)) / columns_;
    std::vector<int> bottoms(static_cast<std::size_t>(columns_), kMargin);
    for (PanelView* view : views_) {
        const auto shortest = std::min_element(bottoms.begin(), bottoms.end());
        const int x = kMargin + static_cast<int>(shortest - bottoms.begin()) * (column + kGap);
        const int height = view->heightForWidth(column);
        view->setGeometry(x, *shortest, column, height);
        *shortest += height + kGap;
    }
    const int bottom = *std::max_element(bottoms.begin(), bottoms.end());
    setMinimumHeight(bottom - kGap + kMargin);
}

}  // namespace aether::ui
