// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/results_page.h"

#include <QApplication>
#include <QKeyEvent>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "common/failure.h"
#include "ui/theme/fonts.h"
#include "ui/tool_tip.h"
#include "ui/window/labels.h"

namespace aether::ui {
namespace {

enum Role { kFile = Qt::UserRole, kDetail };

/// The time in front of a session's file name is in the second line already:
/// "20261130-191043_AMD-EPYC_cifar10-v1" → "AMD-EPYC · cifar10-v1".
QString shortName(const QString& name) {
    static const QRegularExpression pattern(QStringLiteral("^\\d{8}-\\d{6}_(.+)_(.+)$"));
    const QRegularExpressionMatch match = pattern.match(name);
    return match.hasMatch() ? match.captured(1) + QStringLiteral(" · ") + match.captured(2) : name;
}

/// Two lines: name, and when below it.
class EntryDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {160, 46};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem background = option;
        initStyleOption(&background, index);
        background.text.clear();
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &background, painter,
                                           option.widget);
        const QRect inner = option.rect.adjusted(10, 4, -8, -4);
        const auto line = [&](const QRect& area, const QString& text, const QFont& font,
                              QPalette::ColorRole role) {
            painter->setFont(font);
            painter->setPen(option.palette.color(role));
            painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                              QFontMetrics(font).elidedText(text, Qt::ElideMiddle, area.width()));
        };
        line(QRect(inner.left(), inner.top(), inner.width(), 20),
             shortName(index.data().toString()), uiFont(12.5, QFont::Medium), QPalette::Text);
        line(QRect(inner.left(), inner.top() + 20, inner.width(), 17),
             index.data(kDetail).toString(), uiFont(11), QPalette::PlaceholderText);
    }

    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex&) const override {
        editor->setGeometry(option.rect.adjusted(4, 6, -4, -6));
    }
};

std::filesystem::path fileOf(const QListWidgetItem* item) {
    return item->data(kFile).toString().toStdString();
}

}  // namespace

ResultsPage::ResultsPage(ResultsFolder& folder, QWidget* parent)
    : QWidget(parent), folder_(folder), list_(new QListWidget) {
    setObjectName(QStringLiteral("resultsPage"));
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 12, 8, 16);
    column->setSpacing(8);
    list_->setItemDelegate(new EntryDelegate(list_));
    list_->setAccessibleName(tr("Saved results"));
    list_->setContextMenuPolicy(Qt::CustomContextMenu);
    list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->installEventFilter(this);
    column->addWidget(list_, 1);
    hint_ = textLabel(tr("Sessions are saved by themselves. Files can be dropped on the window."),
                      11, QFont::Normal, "muted");
    hint_->setWordWrap(true);
    hint_->setContentsMargins(8, 0, 8, 0);
    column->addWidget(hint_);
    auto* open = new QPushButton(tr("&Open files…"));
    open->setToolTip(tr("Ctrl+O"));
    column->addWidget(open);
    connect(open, &QPushButton::clicked, this, &ResultsPage::openFileWanted);
    connect(list_, &QListWidget::itemActivated, this, &ResultsPage::open);
    connect(list_, &QListWidget::itemClicked, this, &ResultsPage::open);
    connect(list_, &QListWidget::itemChanged, this, &ResultsPage::rename);
    connect(list_, &QWidget::customContextMenuRequested, this, &ResultsPage::showMenu);
    connect(&folder_, &ResultsFolder::changed, this, &ResultsPage::refresh);
    refresh();
}

void ResultsPage::refresh() {
    filling_ = true;
    list_->clear();
    for (const ResultsFolder::Entry& entry : folder_.entries()) {
        auto* item = new QListWidgetItem(entry.name, list_);
        item->setData(kFile, QString::fromStdString(entry.file.string()));
        item->setData(kDetail, entry.modified);
        item->setToolTip(plainToolTip(QString::fromStdString(entry.file.string())));
        item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    auto* published = new QListWidgetItem(tr("Published results"), list_);
    published->setData(kDetail, tr("RX 9070 XT and RTX 3050, PyTorch 2.12.0"));
    filling_ = false;
    setShown(shown_);
}

void ResultsPage::setShown(const std::filesystem::path& file) {
    shown_ = file;
    list_->clearSelection();
    for (int i = 0; i < list_->count(); ++i) {
        if (fileOf(list_->item(i)) == file) list_->setCurrentRow(i);
    }
}

void ResultsPage::open(const QListWidgetItem* item) {
    if (fileOf(item).empty()) {
        Q_EMIT publishedWanted();
    } else {
        Q_EMIT openWanted(fileOf(item));
    }
}

void ResultsPage::rename(QListWidgetItem* item) {
    if (filling_ || fileOf(item).empty()) return;
    const std::filesystem::path before = fileOf(item);
    try {
        const bool shown = shown_ == before;
        const std::filesystem::path now = folder_.rename(before, item->text());
        if (shown) setShown(now);
    } catch (const Failure& failure) {
        Q_EMIT failed(QString::fromUtf8(failure.what()));
        QMetaObject::invokeMethod(this, &ResultsPage::refresh, Qt::QueuedConnection);
    }
}

void ResultsPage::remove(const QListWidgetItem* item) {
    const std::filesystem::path file = fileOf(item);
    if (file.empty()) return;
    try {
        folder_.remove(file);
        Q_EMIT removed(file);
    } catch (const Failure& failure) {
        Q_EMIT failed(QString::fromUtf8(failure.what()));
    }
}

bool ResultsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_ && event->type() == QEvent::KeyPress && list_->currentItem() != nullptr &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        remove(list_->currentItem());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void ResultsPage::showMenu(const QPoint& at) {
    QListWidgetItem* item = list_->itemAt(at);
    if (item == nullptr) return;
    QMenu menu;
    menu.addAction(tr("Open"), this, [this, item] { open(item); });
    if (!fileOf(item).empty()) {
        menu.addAction(tr("Measure again"), this,
                       [this, item] { Q_EMIT rerunWanted(fileOf(item)); });
        menu.addSeparator();
        menu.addAction(tr("Rename"), this, [this, item] { list_->editItem(item); });
        menu.addAction(tr("Delete"), this, [this, item] { remove(item); });
    }
    menu.exec(list_->viewport()->mapToGlobal(at));
}

}  // namespace aether::ui
