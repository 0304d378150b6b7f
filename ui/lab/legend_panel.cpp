#include "ui/lab/legend_panel.h"

#include <QPainter>
#include <algorithm>
#include <functional>
#include <vector>

#include "ui/models/words.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/look.h"
#include "ui/timeline/paint/canvas.h"

namespace leasescope {
namespace {

constexpr int kSide = 12, kSample = 56, kHigh = 16;
constexpr int kRow = 34, kTitle = 30;
constexpr int kColumn = 250;  // a column is at least so wide

// Paints a sample of 56 × 16 at (x, y).
using Sample = std::function<void(Canvas&, int x, int y)>;
struct Mark {
  Sample sample;
  QString name, note;
};
struct Group {
  QString title;
  std::vector<Mark> marks;
};

Sample tile(Tile which, QColor Colours::*line, QColor Colours::*ground) {
  return [=](Canvas& c, int x, int y) {
    c.hatch(x, y, kSample, kHigh, which, c.colours().*line, c.colours().*ground);
    c.frame(x, y, kSample, kHigh, c.colours().line_strong);
  };
}

Sample glyph(Glyph which) {
  return [which](Canvas& c, int x, int y) { paintGlyph(c.painter(), QRect(x, y, kSample, kHigh), which, c.theme()); };
}

std::vector<Mark> whatIs() {
  const auto hue = [](Canvas& c) { return c.colours().id.front(); };
  return {
      {[hue](Canvas& c, int x, int y) { c.fill(x, y, kSample, kHigh, hue(c).ink); }, "held",
       "the store's truth: solid"},
      {[hue](Canvas& c, int x, int y) {
         c.hatch(x, y, kSample, kHigh, Tile::kTransitionHeld, hue(c).ink, hue(c).mid);
         c.frame(x, y, kSample, kHigh, hue(c).ink);
       },
       "held, transition", "only the owner may still renew"},
      {[hue](Canvas& c, int x, int y) {
         c.fill(x, y, kSample, kHigh, hue(c).ink);
         c.fill(x + kSample / 2, y, 1, kHigh, c.colours().chart);
       },
       "renewed", "a gap of one pixel, never merged"},
      {[hue](Canvas& c, int x, int y) {
         c.fill(x, y, kSample, kHigh, hue(c).tint);
         c.frame(x, y, kSample, kHigh, hue(c).ink);
       },
       "believes", "what the contender thinks: an outline"},
      {[hue](Canvas& c, int x, int y) {
         c.hatch(x, y, kSample, kHigh, Tile::kTransitionBelieved, hue(c).ink, c.colours().chart);
         c.frame(x, y, kSample, kHigh, hue(c).ink);
       },
       "believes, transition", ""},
      {[hue](Canvas& c, int x, int y) {
         c.hatch(x, y, kSample, kHigh, Tile::kOverdue, hue(c).ink, c.colours().chart);
         c.dashed_frame(x, y, kSample, kHigh, hue(c).ink, 4, 3);
       },
       "believes past its own deadline", "its clock or its pause hid the end"},
      {glyph(glyph_of(IncidentKind::kLeaderless)), "leaderless", "nobody has it"},
  };
}

std::vector<Mark> whatHappens() {
  const auto base = [](Canvas& c, int x, int y) { c.hline(y + 15, x + 8, x + 48, c.colours().wake_window); };
  return {
      {[base](Canvas& c, int x, int y) {
         base(c, x, y);
         c.polygon({QPointF(x + 23, y + 10), QPointF(x + 33, y + 10), QPointF(x + 28, y + 1)}, c.colours().attempt_won);
       },
       "attempt won", "filled triangle"},
      {[base](Canvas& c, int x, int y) {
         base(c, x, y);
         c.vline(x + 28, y + 8, y + 15, c.colours().attempt_lost);
         c.ring(x + 28, y + 5, 3.5, 1.5, c.colours().attempt_lost, c.colours().panel);
       },
       "attempt lost", "ring; beside it how early or late it woke"},
      {[base](Canvas& c, int x, int y) {
         base(c, x, y);
         c.cross(x + 28, y + 6, 4, c.colours().attempt_failed);
       },
       "attempt failed", "error or time-out"},
      {[](Canvas& c, int x, int y) {
         for (int i = 6; i < 52; i += 4) c.vline(x + i, y + 5, y + 14, c.colours().id.front().ink);
       },
       "write accepted", "a tick in the writer's hue"},
      {glyph(glyph_of(IncidentKind::kStaleWriteRejected)), "write rejected", "by the fence: its token is too old"},
      {[](Canvas& c, int x, int y) {
         c.fill(x + 14, y + 5, 7, 7, c.colours().id.front().ink);
         c.frame(x + 34, y + 5, 7, 7, c.colours().id.front().ink);
       },
       "request granted, refused", "at the store: filled, hollow"},
      {[](Canvas& c, int x, int y) { c.frame(x + 24, y + 5, 7, 7, c.colours().id.front().ink); },
       "late release refused", "at the store: its owner has another term"},
  };
}

std::vector<Mark> whatDisturbs() {
  return {{tile(Tile::kPause, &Colours::pause_line, &Colours::pause_fill), "pause", "the process stands still"},
          {tile(Tile::kPartition, &Colours::partition_line, &Colours::partition_fill), "partition", "cut off"},
          {tile(Tile::kSkew, &Colours::skew_line, &Colours::skew_fill), "clock skew", "its clock is wrong"},
          {tile(Tile::kServer, &Colours::server_line, &Colours::server_fill), "server fault", ""},
          {tile(Tile::kUnobserved, &Colours::unobserved_line, &Colours::unobserved_fill), "not observed",
           "never shown as free"},
          {tile(Tile::kVeil, &Colours::veil_line, &Colours::veil_fill), "not run yet", "or still to be played"}};
}

std::vector<Mark> whatWentWrong() {
  std::vector<Mark> marks;
  for (int i = 0; i < kIncidentKinds; ++i) {
    const auto kind = static_cast<IncidentKind>(i);
    marks.push_back({glyph(glyph_of(kind)), fromText(title(kind)), QString()});
  }
  return marks;
}

class Sheet : public QWidget {
 public:
  Sheet()
      : groups_{{QObject::tr("What is"), whatIs()},
                {QObject::tr("What happens"), whatHappens()},
                {QObject::tr("What disturbs"), whatDisturbs()},
                {QObject::tr("What went wrong"), whatWentWrong()}} {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(QObject::tr("Help and legend"));
    QStringList words{help()};
    for (const Group& group : groups_)
      for (const Mark& mark : group.marks)
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
    painter.drawText(QRect(kSide, 8, width() - 2 * kSide, height()), Qt::TextWordWrap, help());
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
  static QString help() {
    return QObject::tr(
        "Every row is a contender: above, what it believes; below, what the store held. Choose a "
        "scenario at the left; Space runs and pauses it, the wheel zooms, a click chooses, ] goes to "
        "the next incident, ? shows every key.");
  }
  int helpHeight(int width) const {
    const QFontMetrics metrics(leasescope::font(Face::kText, measures().font_body));
    return metrics.boundingRect(QRect(0, 0, std::max(60, width - 2 * kSide), 1000), Qt::TextWordWrap, help()).height() +
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
    for (const Mark& mark : group.marks) {
      mark.sample(canvas, x + kSide, y);
      canvas.elided(left, y + (mark.note.isEmpty() ? 12 : 8), room, mark.name, {c.text, 12});
      if (!mark.note.isEmpty()) canvas.elided(left, y + 22, room, mark.note, {c.muted, 10});
      y += kRow;
    }
  }

  std::vector<Group> groups_;
  TileCache tiles_;
};

}  // namespace

LegendPanel::LegendPanel(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("legendPanel"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setBackgroundRole(QPalette::Button);
  auto* sheet = new Sheet;
  setWidget(sheet);
  connect(&Look::instance(), &Look::changed, sheet, [sheet] { sheet->update(); });
}

}  // namespace leasescope
