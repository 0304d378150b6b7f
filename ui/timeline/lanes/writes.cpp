// What the resource took: a tick a write, in the writer's hue, and below the axis whose token it was.
#include "ui/models/words.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

Band write_lane(const RowBox& row) { return {row.height - measures().resource_axis_from_bottom - 26, 32}; }

// What is looked for among many: what was taken, and above that what changes who writes.
constexpr std::uint8_t kTaken = 1;
std::uint8_t rank(const WriteMark& write) {
  return write.result != EventKind::kWriteAccepted ? 0 : write.changes ? kTaken + 1 : kTaken;
}

// The next of its writes.
void put_wrong(ResourceRow& resource, const WriteMark& mark) {
  const auto place = static_cast<std::uint32_t>(resource.writes.size());
  WrongWrites& wrong = resource.wrong_of[static_cast<std::size_t>(mark.fate())];
  const WriteMark* const before = wrong.size() == 0 ? nullptr : &resource.writes[wrong.write(wrong.size() - 1)];
  const bool alike = before != nullptr && before->token == mark.token && before->highest == mark.highest;
  wrong.push_back(place, mark.at, alike);
  resource.wrong.push_back(place);
}

class Writes : public Lane {
 public:
  std::vector<EventKind> hears() const override {
    return {EventKind::kWriteAccepted, EventKind::kWriteRejected, EventKind::kWriteStaleAccepted};
  }
  void fold(Folding& at, const Event& event) override {
    WriteMark mark;
    mark.at = event.hi;
    mark.token = event.token;
    mark.highest = static_cast<Token>(event.b);
    // Of several permits a later token is another's, and overtakes nobody.
    if (!event.mutex.empty()) {
      const MutexRow& mutex = at.mutex_row(at.mutex(event.mutex));
      if (mutex.capacity == 1) mark.granted = mutex.highest;
    }
    mark.writer = at.contender(event.node);
    mark.result = event.kind;
    const int resource = at.resource(Name{static_cast<std::uint32_t>(event.a)});
    ResourceRow& of = at.rows().resources[static_cast<std::size_t>(resource)];
    Row& row = rows_[resource];
    if (mark.result == EventKind::kWriteAccepted) {
      const std::pair term{mark.token, mark.overtaken()};
      mark.changes = row.last != term;
      row.last = term;
    }
    if (mark.wrong()) put_wrong(of, mark);
    of.writes.push_back(mark);
    row.marks.push_back(mark.at, rank(mark));
  }

  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kTokens; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override {
    if (row.kind == RowKind::kResource)
      canvas.text(scene.left() - 8, scene.y(row) + 20, tr("writes"),
                  {canvas.colours().muted, 10, 400, Face::kText, Align::kRight});
  }
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override {
    if (row.kind != RowKind::kResource) return {};
    return hit_mark(scene, scene.data.resources()[static_cast<std::size_t>(row.index)].writes, LaneKind::kWrites, row,
                    write_lane(row), at.x());
  }
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != hit.on || row.index != hit.row) return {};
    return write_lane(row);
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override {
    return {
        {LegendGroup::kHappens, tr("write accepted"), tr("a tick in the writer's hue"), [](Canvas& c, const QRect& at) {
           for (int i = 6; i < 52; i += 4) c.vline(at.x() + i, at.y() + 5, at.y() + 14, c.colours().id.front().ink);
         }}};
  }

 private:
  struct Row {
    std::optional<std::pair<Token, bool>> last;  // that was accepted
    MarkTrack marks;
  };
  // Calls with each that was accepted and is above `least`; `action` answers from which pixel on it asks for the next.
  template <class Action>
  void each_accepted(const Scene& scene, const RowBox& row, std::uint8_t least, Action&& action) const;
  void write_changes(Canvas& canvas, const Scene& scene, const RowBox& row) const;

  ByRow<Row> rows_;
};

template <class Action>
void Writes::each_accepted(const Scene& scene, const RowBox& row, std::uint8_t least, Action&& action) const {
  const Row* const known = rows_.find(row.index);
  if (known == nullptr) return;
  const std::vector<WriteMark>& writes = scene.data.resources()[static_cast<std::size_t>(row.index)].writes;
  const MarkTrack& marks = known->marks;
  for (std::size_t i = marks.first_above(marks.first_at(scene.viewport.from), least);
       i < marks.size() && marks.at(i) < scene.viewport.to();) {
    const int x = scene.x(marks.at(i)), free = action(writes[i], x);
    i = marks.first_above(free > x ? marks.next_at(scene.first_of(free), i, 1) : i + 1, least);
  }
}

constexpr std::size_t kCrowd = 400;
constexpr int kBesideWrite = 6;  // px
constexpr int kLeastLabel = 12;  // px; none is narrower
constexpr int kLeastApart = 4;   // px; in a crowd: where one has no room a nearer one has none either

// Beside its write, and a little further where an edge stands.
std::optional<int> beside(Canvas& canvas, const Scene& scene, const QRect& label, int free_from) {
  for (const int x : {label.x() + 2, label.x() + kBesideWrite})
    if (x >= free_from && x + label.width() <= scene.right() &&
        canvas.places().claim(label.translated(x - label.x(), 0)))
      return x;
  return std::nullopt;
}

// Who writes from here on; an earlier term that is still taken says so each time.
void Writes::write_changes(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  const TextStyle style{canvas.colours().text, 10, 500, Face::kMono};
  const int axis = axis_of(scene, row);
  const Row* const known = rows_.find(row.index);
  const bool crowded =
      known != nullptr && known->marks.crowded(scene.viewport.from, scene.viewport.to(), kTaken, kCrowd);
  int free_from = scene.left();
  bool first = true;
  const auto say = [&](const WriteMark& write, int x) {
    if (x < free_from - kBesideWrite) return free_from - kBesideWrite;
    const auto blocked = [&](int at) { return canvas.places().blocked({at, axis + 3, kLeastLabel, 12}).has_value(); };
    if (blocked(x + 2) && blocked(x + kBesideWrite)) return crowded ? x + kLeastApart : x;
    const QString label = acceptedText(write.token, write.overtaken() ? write.granted : kNoToken, first);
    first = false;
    const int width = canvas.width_of(label, style);
    const auto at = beside(canvas, scene, {x, axis + 3, width, 12}, free_from);
    if (!at) return crowded ? x + kLeastApart : x;
    canvas.text(*at, axis + 13, label, style);
    free_from = *at + width + 8;
    return free_from - kBesideWrite;
  };
  each_accepted(scene, row, 0, [&](const WriteMark& write, int x) {
    say(write, x);
    return scene.right();  // the first in view, whether it changes anything or not
  });
  each_accepted(scene, row, kTaken, [&](const WriteMark& write, int x) { return say(write, x); });
}

void Writes::paint(Canvas& canvas, const Scene& scene) const {
  const Colours& c = canvas.colours();
  each_row(scene, RowKind::kResource, [&](const RowBox& row) {
    const int axis = axis_of(scene, row);
    canvas.hline(axis, scene.clipped_x(TrueTime{}), scene.clipped_x(scene.data.now()), c.resource);
    Strip ticks(scene);
    each_accepted(scene, row, 0, [&](const WriteMark& write, int x) {
      ticks.fill(x, x + 1, write.writer == kNoContender ? c.write_accepted : identity(canvas, scene, write.writer).ink);
      return x + 1;
    });
    ticks.put(canvas, axis - 9, 9);
  });
}

void Writes::write(Canvas& canvas, const Scene& scene) const {
  each_row(scene, RowKind::kResource, [&](const RowBox& row) { write_changes(canvas, scene, row); });
}

HoverText Writes::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const ResourceRow& resource = data.resources()[static_cast<std::size_t>(hit.row)];
  const WriteMark& write = resource.writes[hit.index];
  HoverText text;
  text.contender = write.writer;
  text.right = tokenText(write.token);
  text.title = writeTitle(write.fate());
  text.lines.emplace_back(tr("at"), data.axis().text(write.at));
  text.lines.emplace_back(tr("resource"), QString::fromStdString(resource.name));
  const QString seen = tokenText(write.highest);
  text.lines.emplace_back(tr("had seen"),
                          write.overtaken() ? tr("%1, not %2").arg(seen, tokenText(write.granted)) : seen);
  return text;
}

}  // namespace

std::unique_ptr<Lane> writes_lane() { return std::make_unique<Writes>(); }

}  // namespace leasescope
