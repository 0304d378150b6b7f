#include "ui/panels/scenario_list.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/models/scenario_list_model.h"
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

ScenarioList::ScenarioList(QAbstractItemModel* model, QWidget* parent)
    : SearchList(model, ScenarioListModel::kSearchRole, tr("Search name or failure"),
                 tr("No scenario of that name or failure."), {}, parent) {
  auto* caption = new Pane(Ground::kPanel);
  caption->setEdges(Qt::BottomEdge);
  auto* captionLayout = new QHBoxLayout(caption);
  captionLayout->setContentsMargins(12, 4, 10, 5);
  captionLayout->addWidget(label(tr("name"), 10, 400, Ink::kMuted));
  captionLayout->addStretch();
  captionLayout->addWidget(label(tr("without · with fence"), 10, 400, Ink::kMuted));
  setCaption(caption);
  list()->setItemDelegate(new ScenarioDelegate(list()));
}

}  // namespace leasescope
