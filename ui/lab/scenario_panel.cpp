#include "ui/lab/scenario_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>

#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/timeline/paint/fonts.h"

namespace leasescope {
namespace {

constexpr int kMarkColumn = 14;  // width of one mark
constexpr int kMarkGap = 6;

class ScenarioDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {100, measures().list_item}; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Colours& c = ink();
    const QRect r = option.rect;
    const bool selected = option.state & QStyle::State_Selected;
    const bool hover = option.state & QStyle::State_MouseOver;
    painter->fillRect(r, selected ? c.selection : hover ? c.hover : c.panel);
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), c.line);
    const int marks = 2 * kMarkColumn + kMarkGap;
    const QRect text = r.adjusted(12, 4, -(10 + marks + 8), -4);
    painter->setFont(leasescope::font(Face::kMono, measures().font_small, selected ? 700 : 400));
    painter->setPen(c.text);
    const auto elide = [&](int role) {
      return painter->fontMetrics().elidedText(index.data(role).toString(), Qt::ElideRight, text.width());
    };
    const QString name = elide(ScenarioListModel::kNameRole);
    painter->drawText(text.adjusted(0, 0, 0, -14), Qt::AlignVCenter, name);
    const int named = painter->fontMetrics().horizontalAdvance(name) + 8;
    if (index.data(ScenarioListModel::kLiveRole).toBool() && named + 22 <= text.width()) {
      painter->setFont(leasescope::font(Face::kText, measures().font_caption));
      painter->setPen(c.muted);
      painter->drawText(text.adjusted(named, 0, 0, -14), Qt::AlignVCenter, QObject::tr("live"));
    }
    painter->setFont(leasescope::font(Face::kText, measures().font_small));
    painter->setPen(c.muted);
    painter->drawText(text.adjusted(0, 15, 0, 0), Qt::AlignVCenter, elide(ScenarioListModel::kTitleRole));
    const Theme theme = Look::instance().theme();
    const QRect mark(r.right() - 10 - marks + 1, r.top(), kMarkColumn, r.height() - 1);
    paintGlyph(*painter, mark, static_cast<Glyph>(index.data(ScenarioListModel::kWithoutRole).toInt()), theme);
    paintGlyph(*painter, mark.translated(kMarkColumn + kMarkGap, 0),
               static_cast<Glyph>(index.data(ScenarioListModel::kWithRole).toInt()), theme);
    if (option.state & QStyle::State_HasFocus) {
      painter->setPen(QPen(c.focus, 2));
      painter->drawRect(r.adjusted(1, 1, -1, -2));
    }
  }
};

}  // namespace

ScenarioPanel::ScenarioPanel(ScenarioListModel* model, QWidget* parent) : Pane(Ground::kPanel, parent), model_(model) {
  filter_ = new WordFilter(this);
  filter_->searchRole(ScenarioListModel::kSearchRole);
  filter_->setSourceModel(model);

  search_ = new QLineEdit;
  search_->setObjectName(QStringLiteral("scenarioSearch"));
  search_->setPlaceholderText(tr("Search name or failure"));
  search_->setClearButtonEnabled(false);
  search_->addAction(icon(Icon::kSearch), QLineEdit::LeadingPosition);
  search_->setAccessibleName(tr("Search scenarios"));
  search_->installEventFilter(this);
  auto* key = new KeyCap(QStringLiteral("/"), search_);
  auto* inside = new QHBoxLayout(search_);
  inside->setContentsMargins(0, 0, 4, 0);
  inside->addStretch();
  inside->addWidget(key);
  auto* searchRow = new Pane(Ground::kPanel);
  searchRow->setEdges(Qt::BottomEdge);
  auto* searchLayout = new QHBoxLayout(searchRow);
  searchLayout->setContentsMargins(10, 8, 10, 9);
  searchLayout->addWidget(search_);

  auto* caption = new Pane(Ground::kPanel);
  caption->setEdges(Qt::BottomEdge);
  auto* captionLayout = new QHBoxLayout(caption);
  captionLayout->setContentsMargins(12, 4, 10, 5);
  captionLayout->addWidget(label(tr("name"), 10, 400, Ink::kMuted));
  captionLayout->addStretch();
  captionLayout->addWidget(label(tr("without · with fence"), 10, 400, Ink::kMuted));

  list_ = new QListView;
  list_->setObjectName(QStringLiteral("scenarios"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setModel(filter_);
  list_->setItemDelegate(new ScenarioDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QListView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setAccessibleName(tr("Scenarios"));
  list_->viewport()->setBackgroundRole(QPalette::Button);
  none_ = label(tr("No scenario of that name or failure."), 12, 400, Ink::kMuted);
  none_->setContentsMargins(12, 12, 12, 12);
  none_->setWordWrap(true);
  none_->hide();

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(searchRow);
  column->addWidget(caption);
  column->addWidget(none_);
  column->addWidget(list_, 1);
  auto* about = new Pane(Ground::kPanel);
  about->setEdges(Qt::TopEdge);
  auto* texts = new QVBoxLayout(about);
  texts->setContentsMargins(12, 8, 12, 8);
  texts->setSpacing(4);
  for (QLabel** text : {&aboutText_, &aboutMore_}) {
    *text = label({}, 11, 400, text == &aboutText_ ? Ink::kText : Ink::kMuted);
    (*text)->setWordWrap(true);
    (*text)->setTextFormat(Qt::PlainText);
    texts->addWidget(*text);
  }
  aboutText_->setObjectName(QStringLiteral("scenarioAbout"));
  texts->addStretch();
  about_ = new QScrollArea;
  about_->setFrameShape(QFrame::NoFrame);
  about_->setWidgetResizable(true);
  about_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  about_->viewport()->setBackgroundRole(QPalette::Button);
  about_->setFixedHeight(148);
  about_->setWidget(about);
  about_->hide();
  column->addWidget(about_);

  connect(search_, &QLineEdit::textChanged, this, [this, key](const QString& text) {
    filter_->setWords(text);
    key->setVisible(text.isEmpty());
    none_->setVisible(filter_->rowCount() == 0);
    setCurrent(current_);
  });
  connect(search_, &QLineEdit::returnPressed, this, [this] {
    if (filter_->rowCount() > 0) choose(list_->currentIndex().isValid() ? list_->currentIndex() : filter_->index(0, 0));
  });
  list_->viewport()->installEventFilter(this);
  connect(list_, &QListView::clicked, this, &ScenarioPanel::choose);
  connect(list_, &QListView::activated, this, &ScenarioPanel::choose);
}

void ScenarioPanel::choose(const QModelIndex& index) {
  const QString source = index.data(ScenarioListModel::kSourceRole).toString();
  if (source.isEmpty()) return;
  emit chosen(source);
}

void ScenarioPanel::setCurrent(const QString& source) {
  current_ = source;
  const int row = model_->rowOf(source);
  const QModelIndex index = row < 0 ? QModelIndex() : filter_->mapFromSource(model_->index(row));
  list_->setCurrentIndex(index);
  if (index.isValid()) list_->scrollTo(index);
  loadAbout();
}

// What the scenario is about, in full and without pointing at it.
void ScenarioPanel::loadAbout() {
  const int row = model_->rowOf(current_);
  about_->setVisible(row >= 0);
  if (row < 0) return;
  const QModelIndex index = model_->index(row);
  aboutText_->setText(index.data(ScenarioListModel::kAboutRole).toString());
  const QStringList stores = index.data(ScenarioListModel::kStoresRole).toStringList();
  aboutMore_->setText(
      index.data(ScenarioListModel::kExpectsRole).toString() + u'\n' +
      (stores.isEmpty()
           ? tr("Runs in virtual time only.")
           : tr("Runs in virtual time and live, on %1.").arg(QLocale(QLocale::English).createSeparatedList(stores))));
}

void ScenarioPanel::focusSearch() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

bool ScenarioPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape && !search_->text().isEmpty()) {
      search_->clear();
      return true;
    }
    if (key == Qt::Key_Down) {
      list_->setFocus();
      return true;
    }
  }
  // What was chosen before there was room for the list, or when there was more of it, is still to be seen.
  if (list_ != nullptr && watched == list_->viewport() && event->type() == QEvent::Resize &&
      list_->currentIndex().isValid())
    QTimer::singleShot(0, list_, [this] { list_->scrollTo(list_->currentIndex()); });
  return Pane::eventFilter(watched, event);
}

}  // namespace leasescope
