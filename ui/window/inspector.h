// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "common/result.h"
#include "ui/figure/panel.h"

class QBoxLayout;
class QLabel;
class QScrollArea;

namespace aether::ui {

/// One chosen bar in full, or two side by side, stage by stage.
class Inspector : public QWidget {
    Q_OBJECT
  public:
    explicit Inspector(QWidget* parent = nullptr);

    void setTokens(const Tokens& tokens);
    /// `keys`: of none, one or two bars of the panels that are drawn.
    void show(const std::vector<Result>& results, const std::vector<Panel>& panels,
              const std::vector<std::string>& keys);
    /// What "copy as Markdown" copies; empty with nothing chosen.
    QString markdown() const;
    void copyMarkdown() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Chosen {
        aether::Run run;
        Bar bar;
        QString device;
    };
    void choose(const Bar& bar, const QString& device);
    void rebuild();
    QWidget* single(const Chosen& chosen);
    QWidget* pair(const Chosen& left, const Chosen& right);
    QWidget* copyButton();
    void arrange();

    const Tokens* tokens_;
    std::vector<Result> results_;
    std::vector<Chosen> chosen_;
    QScrollArea* scroll_;
    QLabel* empty_;
    QBoxLayout* columns_ = nullptr;
};

}  // namespace aether::ui
