#include "ui/lab/scenario_panel.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>

#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"

namespace leasescope {
namespace {

constexpr int kMarkColumn = 14;  // width of one mark
constexpr int kMarkGap = 6;

// With the marks of what is to happen without fence, and with it.
class ScenarioDelegate : public TwoLineDelegate {
 public:
  explicit ScenarioDelegate(QObject* parent)
      : TwoLineDelegate(ScenarioListModel::kTitleRole, 2 * kMarkColumn + kMarkGap, parent) {}

 protected:
  int nameRole() const override { return ScenarioListModel::kNameRole; }
  QString note(const QModelIndex& index) const override {
    return index.data(ScenarioListModel::kLiveRole).toBool() ? ScenarioListModel::tr("live") : QString();
  }
  void paintMarks(QPainter& painter, const QRect& room, const QModelIndex& index) const override {
    const Theme theme = Look::instance().theme();
    const QRect mark(room.left(), room.top(), kMarkColumn, room.height());
    paintGlyph(painter, mark, static_cast<Glyph>(index.data(ScenarioListModel::kWithoutRole).toInt()), theme);
    paintGlyph(painter, mark.translated(kMarkColumn + kMarkGap, 0),
               static_cast<Glyph>(index.data(ScenarioListModel::kWithRole).toInt()), theme);
  }
};

}  // namespace

ScenarioPanel::ScenarioPanel(ScenarioListModel* model, QWidget* parent) : Pane(Ground::kPanel, parent), model_(model) {
  auto* caption = new Pane(Ground::kPanel);
  caption->setEdges(Qt::BottomEdge);
  auto* captionLayout = new QHBoxLayout(caption);
  captionLayout->setContentsMargins(12, 4, 10, 5);
  captionLayout->addWidget(label(tr("name"), 10, 400, Ink::kMuted));
  captionLayout->addStretch();
  captionLayout->addWidget(label(tr("without · with fence"), 10, 400, Ink::kMuted));

  rows_ = new SearchList(model, ScenarioListModel::kSearchRole, tr("Search name or failure"),
                         tr("No scenario of that name or failure."), {});
  search()->setObjectName(QStringLiteral("scenarioSearch"));
  search()->setAccessibleName(tr("Search scenarios"));
  list()->setObjectName(QStringLiteral("scenarios"));
  list()->setItemDelegate(new ScenarioDelegate(list()));
  list()->setAccessibleName(tr("Scenarios"));
  rows_->setCaption(caption);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(rows_, 1);
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

  connect(rows_, &SearchList::searched, this, [this] { setCurrent(current_); });
  connect(rows_, &SearchList::chosen, this,
          [this](const QModelIndex& row) { emit chosen(row.data(ScenarioListModel::kSourceRole).toString()); });
}

void ScenarioPanel::setCurrent(const QString& source) {
  current_ = source;
  rows_->setCurrentRow(model_->rowOf(source));
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

}  // namespace leasescope
