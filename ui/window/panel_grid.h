// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "ui/figure/panel_view.h"

namespace aether::ui {

/// All panels, in one to three columns as the width allows; each below the shortest column so far.
class PanelGrid : public QWidget {
    Q_OBJECT
  public:
    explicit PanelGrid(QWidget* parent = nullptr);

    /// Panels of the same devices keep their widgets, so that focus and hover stay.
    void setPanels(const std::vector<Panel>& panels);
    void setTokens(const Tokens& tokens);
    void setSelected(const std::vector<std::string>& keys);
    const std::vector<PanelView*>& views() const { return views_; }
    int columns() const { return columns_; }

  Q_SIGNALS:
    void barChosen(const std::string& key, bool add);
    /// Asked for by a right click or the menu key on a panel.
    void exportWanted(int panel);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    PanelView* makeView();
    void arrange();

    const Tokens* tokens_;
    std::vector<PanelView*> views_;
    int columns_ = 1;
};

}  // namespace aether::ui
