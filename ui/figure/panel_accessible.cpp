// SPDX-License-Identifier: GPL-3.0-only
#include <QAccessibleWidget>
#include <vector>

#include "ui/figure/panel_view.h"

namespace aether::ui {
namespace {

class BarAccessible : public QAccessibleInterface {
  public:
    BarAccessible(PanelView* view, int bar) : view_(view), bar_(bar) {}

    bool isValid() const override { return bar_ < static_cast<int>(bars().size()); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(view_);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        if (kind != QAccessible::Name || !isValid()) return {};
        return sentenceOf(bars()[static_cast<std::size_t>(bar_)]);
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        const QRect area = view_->barArea(bar_);
        return {view_->viewport()->mapToGlobal(area.topLeft()), area.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = state.focusable = true;
        state.selected = isValid() && view_->chart()->isSelected(bar_);
        state.focused = view_->hasFocus() && view_->current() == bar_;
        return state;
    }

  private:
    const std::vector<Bar>& bars() const { return view_->chart()->panel().bars; }

    PanelView* view_;
    int bar_;
};

class PanelAccessible : public QAccessibleWidget {
  public:
    explicit PanelAccessible(PanelView* view)
        : QAccessibleWidget(view, QAccessible::List), view_(view) {}
    ~PanelAccessible() override {
        for (const QAccessible::Id id : ids_)
            QAccessible::deleteAccessibleInterface(id);
    }
    int childCount() const override {
        return static_cast<int>(view_->chart()->panel().bars.size());
    }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        while (static_cast<int>(ids_.size()) <= index) {
            ids_.push_back(QAccessible::registerAccessibleInterface(
                new BarAccessible(view_, static_cast<int>(ids_.size()))));
        }
        return QAccessible::accessibleInterface(ids_[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            if (QAccessible::accessibleInterface(ids_[i]) == child) return static_cast<int>(i);
        }
        return -1;
    }

  private:
    PanelView* view_;
    mutable std::vector<QAccessible::Id> ids_;
};

}  // namespace

QAccessibleInterface* panelAccessibleFactory(const QString&, QObject* object) {
    auto* view = qobject_cast<PanelView*>(object);
    return view == nullptr ? nullptr : new PanelAccessible(view);
}

}  // namespace aether::ui
