#include "ui/panels/legend_panel.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <vector>

#include "ui/theme/look.h"
#include "ui/timeline/lanes/lane.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(LegendPanel)
};

constexpr int kSide = 12, kSample = 56, kHigh = 16;
constexpr int kRow = 34, kTitle = 30;
constexpr int kColumn = 250;  // a column is at least so wide

struct Group {
  QString title;
  std::vector<LegendMark> marks;
};

std::vector<Group> groups() {
  std::vector<Group> groups{{Say::tr("What is"), {}},
                            {Say::tr("What happens"), {}},
                            {Say::tr("What disturbs"), {}},
                            {Say::tr("What went wrong"), {}}};
  for (LegendMark& mark : chart_legend())
    if (!mark.name.isEmpty()) groups[static_cast<std::size_t>(mark.group)].marks.push_back(std::move(mark));
  return groups;
}

class Sheet : public QWidget {
 public:
  explicit Sheet(const QString& how) : help_(help(how)), groups_(groups()) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(Say::tr("Help and legend"));
    QStringList words{help_};
    for (const Group& group : groups_)
      for (const LegendMark& mark : group.marks)
        words << (mark.note.isEmpty() ? mark.name : mark.name + QStringLiteral(": ") + mark.note);
    setAccessibleDescription(words.join(QStringLiteral(". ")));
  }

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override {
    int high = 0;
    for (const int each : heights(columnsFor(width))) high = std::max(high, each);
    return helpHeight(width) + high + 8;
  }
  QSize sizeHint() const override { return {kColumn, heightForWidth(kColumn)}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), ink().panel);
    painter.setFont(leasescope::font(Face::kText, measures().font_body));
    painter.setPen(ink().text);
    painter.drawText(QRect(kSide, 8, width() - 2 * kSide, height()), Qt::TextWordWrap, help_);
    const int columns = columnsFor(width()), wide = width() / columns;
    std::vector<int> used(static_cast<std::size_t>(columns), helpHeight(width()));
    Canvas canvas(painter, Look::instance().theme(), tiles_);
    for (const Group& group : groups_) {
      const auto at = std::min_element(used.begin(), used.end()) - used.begin();
      paintGroup(canvas, group, static_cast<int>(at) * wide, used[static_cast<std::size_t>(at)], wide);
      used[static_cast<std::size_t>(at)] += heightOf(group);
    }
  }

 private:
  static QString help(const QString& how) {
    return Say::tr(
               "Every row is a contender: above, what it believes; below, what the store held. %1 The wheel "
               "zooms, a click chooses, ] goes to the next incident, ? shows every key.")
        .arg(how);
  }
  int helpHeight(int width) const {
    const QFontMetrics metrics(leasescope::font(Face::kText, measures().font_body));
    return metrics.boundingRect(QRect(0, 0, std::max(60, width - 2 * kSide), 1000), Qt::TextWordWrap, help_).height() +
           16;
  }
  static int columnsFor(int width) { return std::clamp(width / kColumn, 1, 4); }
  static int heightOf(const Group& group) { return kTitle + static_cast<int>(group.marks.size()) * kRow; }
  std::vector<int> heights(int columns) const {
    std::vector<int> used(static_cast<std::size_t>(columns), 0);
    for (const Group& group : groups_) *std::min_element(used.begin(), used.end()) += heightOf(group);
    return used;
  }
  static void paintGroup(Canvas& canvas, const Group& group, int x, int y, int wide) {
    const Colours& c = canvas.colours();
    canvas.text(x + kSide, y + 18, group.title, {c.text, 12, 600});
    y += kTitle;
    const int left = x + kSide + kSample + 10, room = wide - kSide - kSample - 16;
    for (const LegendMark& mark : group.marks) {
      mark.sample(canvas, QRect(x + kSide, y, kSample, kHigh));
      canvas.elided(left, y + (mark.note.isEmpty() ? 12 : 8), room, mark.name, {c.text, 12});
      if (!mark.note.isEmpty()) canvas.elided(left, y + 22, room, mark.note, {c.muted, 10});
      y += kRow;
    }
  }

  QString help_;
  std::vector<Group> groups_;
  TileCache tiles_;
};

}  // namespace

LegendPanel::LegendPanel(const QString& how, QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("legendPanel"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Button);
  auto* sheet = new Sheet(how);
  setWidget(sheet);
  connect(&Look::instance(), &Look::changed, sheet, [sheet] { sheet->update(); });
}

}  // namespace leasescope
