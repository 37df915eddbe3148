// SPDX-License-Identifier: GPL-3.0-only
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QLabel;
class QToolButton;

namespace aether::ui {

class FlowLayout;

/// One thing to choose. With a reason it can't be chosen and says why.
struct ChipItem {
    std::string value;
    QString label;
    QString reason;
    bool on = true;  ///< until the user says otherwise
};

/// A heading and chips of which any number may be on.
class ChipGroup : public QWidget {
    Q_OBJECT
  public:
    explicit ChipGroup(const QString& heading, QWidget* parent = nullptr);

    /// What the user switched stays switched; hidden when there is nothing to choose.
    void setItems(const std::vector<ChipItem>& items);
    std::vector<std::string> chosen() const;
    /// The same, but empty when exactly what is on by itself is chosen: "whatever a runner has".
    std::vector<std::string> chosenOrDefault() const;
    const QString& heading() const { return heading_; }
    /// False: nothing is offered, so nothing can be asked for.
    bool anyToChoose() const;
    /// Switches exactly these on.
    void choose(const std::vector<std::string>& values);

  Q_SIGNALS:
    void changed();

  private:
    QString heading_;
    FlowLayout* flow_;
    struct Chip {
        std::string value;
        QToolButton* button;
        bool onByItself;
    };
    std::vector<Chip> chips_;
};

}  // namespace aether::ui
