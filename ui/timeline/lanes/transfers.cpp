// Transfers at a bank: a cell a step in the hue of whoever asked for it, who works beside another on the second line;
// on the bank's axis what it posted, what it posted twice and what was lost.
#include <array>
#include <map>

#include "ui/models/words.h"
#include "ui/timeline/lanes/in_view.h"
#include "ui/timeline/lanes/pointing.h"
#include "ui/timeline/paint/strip.h"

namespace leasescope {
namespace {

// One contender's go at one transfer: the moments of its steps.
struct Try {
  TrueTime begin{};
  std::int64_t transfer = 0;
  int contender = kNoContender;
  int line = 0;
  bool settled = false;
  bool given_up = false;  // it went on to another
  std::vector<TrueTime> steps;

  TrueTime end() const { return steps.back(); }
  bool open() const { return !settled && !given_up; }
};
struct Posting {
  TrueTime at{};
  std::int64_t transfer = 0;
  int contender = kNoContender;
};
struct Account {
  std::string name;
  std::vector<Try> tries;                // as they began to be told of
  std::array<IntervalTrack, 2> in_time;  // the same, by line
  std::vector<Posting> credited, credited_again, lost;
  std::map<int, std::size_t> working;  // each contender's last try

  // It is new, or has come further.
  void put(const Try& each) {
    in_time[static_cast<std::size_t>(each.line)].put(static_cast<std::uint32_t>(&each - tries.data()), each.begin,
                                                     each.open() ? kOpenEnd : each.end());
  }
  std::vector<Posting>& of(TransferStep what) {
    return what == TransferStep::kCreditedAgain ? credited_again : what == TransferStep::kLost ? lost : credited;
  }
};

constexpr int kPosted = 7;  // px above the axis
constexpr int kBroken = 9;  // of the hollow cell where it broke off
constexpr int kLeastNumber = 16, kLeastCells = 4;
constexpr int kOneMark = 3;               // what was posted twice or lost nearer to each other is one mark
constexpr int kOneWord = 70;              // marks nearer to each other share their words
constexpr std::size_t kMostNumbers = 12;  // ... by their numbers; of more it is said how many

class Transfers : public Lane {
 public:
  std::vector<EventKind> hears() const override { return {EventKind::kTransferred}; }
  void fold(Folding& at, const Event& event) override;

  std::vector<OwnRow> rows(const ChartData& /*data*/, const ChartLayout& /*layout*/, RowSpot spot,
                           int /*mutex*/) const override {
    std::vector<OwnRow> rows;
    if (spot == RowSpot::kAtEnd)
      for (std::size_t i = 0; i < accounts_.size(); ++i)
        rows.push_back({static_cast<int>(i), measures().transfers_height, i % 2 == 1});
    return rows;
  }
  void paint(Canvas& canvas, const Scene& scene) const override;
  Says says() const override { return Says::kRefusals; }
  void write(Canvas& canvas, const Scene& scene) const override;
  void head(Canvas& canvas, const Scene& scene, const RowBox& row) const override;
  Hit hit(const Scene& scene, const RowBox& row, QPoint at) const override;
  std::optional<Band> place(const Scene& /*scene*/, const RowBox& row, const Hit& hit) const override {
    if (row.kind != RowKind::kOwn || row.lane != LaneKind::kTransfers || row.index != hit.row) return {};
    return line(accounts_[static_cast<std::size_t>(hit.row)].tries[hit.index].line);
  }
  HoverText describe(const ChartData& data, const Hit& hit, TrueTime at) const override;
  std::vector<LegendMark> legend() const override;

 private:
  static Band line(int number) {
    const LineMeasures& m = measures().transfers;
    return {m.first + number * m.pitch, m.height};
  }
  static int axis_of_bank(const Scene& scene, const RowBox& row) {
    return scene.y(row) + row.height - measures().transfers_axis_from_bottom;
  }
  // Nobody else is in the midst of a transfer on the first line.
  static bool is_free(const Folding& at, const Account& account, const Try& next);
  Account& account_of(Folding& at, const Event& event);
  void paint_tries(Canvas& canvas, const Scene& scene, const RowBox& row, const Account& account) const;

  std::vector<Account> accounts_;
};

// ---- fold

Account& Transfers::account_of(Folding& at, const Event& event) {
  const std::string name = event.b > 0 ? at.text(Name{static_cast<std::uint32_t>(event.b)}) : tr("bank").toStdString();
  for (Account& account : accounts_)
    if (account.name == name) return account;
  accounts_.emplace_back();
  accounts_.back().name = name;
  at.moves_rows();
  return accounts_.back();
}

bool Transfers::is_free(const Folding& at, const Account& account, const Try& next) {
  return std::none_of(account.working.begin(), account.working.end(), [&](const auto& each) {
    const Try& other = account.tries[each.second];
    if (other.line != 0 || other.contender == next.contender) return false;
    if (other.end() > next.begin) return true;
    const SpanTrack& believed = at.contender_row(other.contender).believed;
    return !other.settled && !believed.empty() && believed.back().open();
  });
}

void Transfers::fold(Folding& at, const Event& event) {
  Account& account = account_of(at, event);
  const auto what = static_cast<TransferStep>(event.detail);
  const int who = at.contender(event.node);
  if (what != TransferStep::kHeld && what != TransferStep::kSettled)
    account.of(what).push_back({event.hi, event.a, who});
  if (what == TransferStep::kLost || who == kNoContender) return;  // it is told of a transfer that nobody works on

  const auto working = account.working.find(who);
  Try* last = working == account.working.end() ? nullptr : &account.tries[working->second];
  if (last == nullptr || last->settled || last->transfer != event.a) {
    Try next;
    next.transfer = event.a;
    next.contender = who;
    // Since its last one, or since it believes that it may.
    const SpanTrack& believed = at.contender_row(who).believed;
    const TrueTime since = believed.empty() ? event.hi : believed.back().start.hi;
    next.begin = last == nullptr ? since : std::max(since, last->end());
    if (last != nullptr) {
      last->given_up = !last->settled;
      account.put(*last);
    }
    next.line = is_free(at, account, next) ? 0 : 1;
    account.working[who] = account.tries.size();
    account.tries.push_back(next);
    last = &account.tries.back();
  }
  last->steps.push_back(event.hi);
  last->settled = what == TransferStep::kSettled;
  account.put(*last);
}

// ---- paint

void paint_try(Canvas& canvas, const Scene& scene, const Try& each, int y, int height) {
  const IdentityColours& id = identity(canvas, scene, each.contender);
  const int end = scene.clipped_x(each.end());
  int from = scene.clipped_x(each.begin);
  if (end - from < kLeastCells) {
    canvas.fill(from, y, std::max(1, end - from), height, id.ink);
  } else {
    for (const TrueTime step : each.steps) {
      const int to = scene.clipped_x(step);
      canvas.fill(from, y, std::max(1, to - from - 1), height, id.ink);
      from = to;
    }
  }
  if (each.given_up && scene.shows(each.end())) {
    canvas.fill(end, y, kBroken, height, canvas.colours().chart);
    canvas.frame(end, y, kBroken, height, id.ink);
  }
  if (each.open()) canvas.fill(end, y, std::max(1, scene.clipped_x(scene.data.now()) - end), height, id.mid);
}

// Calls with each in view of a line, in the order in which they were told of: a later one lies over an earlier one.
template <class Do>
void each_try(const Scene& scene, const Account& account, std::size_t number, Do&& action) {
  std::vector<std::uint32_t> seen;
  each_seen(scene, account.in_time[number], [&](std::uint32_t i) { seen.push_back(i); });
  std::sort(seen.begin(), seen.end());
  for (const std::uint32_t i : seen) {
    const Try& each = account.tries[i];
    if (scene.shows(each.begin, each.open() ? scene.data.now() : each.end())) action(each);
  }
}

// Those that are nothing but a few pixels are put down side by side.
void Transfers::paint_tries(Canvas& canvas, const Scene& scene, const RowBox& row, const Account& account) const {
  Strip narrow(scene);
  for (std::size_t number = 0; number < account.in_time.size(); ++number) {
    const Band band = line(static_cast<int>(number));
    const int y = scene.y(row) + band.y;
    each_try(scene, account, number, [&](const Try& each) {
      const int from = scene.clipped_x(each.begin), end = scene.clipped_x(each.end());
      if (end - from < kLeastCells && each.settled)
        return narrow.fill(from, std::max(from + 1, end), identity(canvas, scene, each.contender).ink);
      narrow.put(canvas, y, band.height);
      paint_try(canvas, scene, each, y, band.height);
    });
    narrow.put(canvas, y, band.height);
  }
}

void Transfers::paint(Canvas& canvas, const Scene& scene) const {
  each_own_row(scene, LaneKind::kTransfers, [&](const RowBox& row) {
    const Account& account = accounts_[static_cast<std::size_t>(row.index)];
    paint_tries(canvas, scene, row, account);
    const int axis = axis_of_bank(scene, row);
    canvas.hline(axis, scene.clipped_x(TrueTime{}), scene.clipped_x(scene.data.now()), canvas.colours().resource);
    Strip posted(scene);
    const std::vector<Posting>& credited = account.credited;
    for (std::size_t i = first_at(credited, scene.viewport.from); i < credited.size();) {
      if (credited[i].at >= scene.viewport.to()) break;
      // Of those in one pixel the last is seen.
      const int x = scene.x(credited[i].at);
      i = std::max(i + 1, first_at(credited, scene.first_of(x + 1), i + 1));
      posted.fill(x, x + 1, identity(canvas, scene, credited[i - 1].contender).ink);
    }
    posted.put(canvas, axis - kPosted, kPosted);
  });
}

// A transfer that was lost: the diamond of a stale write, hollow.
void paint_lost(Canvas& canvas, int x, int y) {
  const Colours& c = canvas.colours();
  const auto diamond = [&](double r, const QColor& colour) {
    const double m = x + 0.5;
    canvas.polygon({{m, y - r}, {m + r, static_cast<double>(y)}, {m, y + r}, {m - r, static_cast<double>(y)}}, colour,
                   true);
  };
  diamond(8.5, c.chart);
  diamond(7.2, c.write_stale);
  diamond(4.6, c.chart);
}

// What marks near to each other say: which transfers they are about, or how many.
struct Said {
  std::vector<std::int64_t> transfers;  // the first of them
  std::size_t count = 0;
  int x = 0;  // of the last

  QString words(const QString& counted) const {
    if (count > kMostNumbers) return counted.arg(count);
    QStringList numbers;
    for (const std::int64_t each : transfers) numbers << QString::number(each);
    return numbers.join(QStringLiteral(", "));
  }
};

// Marks are never left out, but for those that lie on each other; what they say is said once for those that are near
// to each other.
void write_postings(Canvas& canvas, const Scene& scene, const Account& account, TransferStep what, int axis, int top) {
  const Colours& c = canvas.colours();
  const bool twice = what == TransferStep::kCreditedAgain;
  const std::vector<Posting>& postings = twice ? account.credited_again : account.lost;
  std::vector<Said> words;
  for (std::size_t i = first_at(postings, scene.viewport.from); i < postings.size();) {
    if (postings[i].at >= scene.viewport.to()) break;
    const int x = scene.x(postings[i].at);
    if (twice) {
      canvas.vline(x, top, axis, c.write_stale);
      canvas.diamond(x + 0.5, axis - 1, 7, c.chart);
    } else {
      paint_lost(canvas, x, axis - 1);
    }
    canvas.places().reserve({x - 8, axis - 9, 17, 17});
    const std::size_t next = std::max(i + 1, first_at(postings, scene.first_of(x + kOneMark), i + 1));
    if (words.empty() || x - words.back().x >= kOneWord) words.emplace_back();
    Said& said = words.back();
    said.count += next - i;
    said.x = x;
    for (; i < next && said.transfers.size() < kMostNumbers; ++i) said.transfers.push_back(postings[i].transfer);
    i = next;
  }
  PlateStyle style{twice ? c.write_stale : c.chart, twice ? c.on_critical : c.crit_text,
                   twice ? QColor() : c.write_stale};
  style.weight = 600;
  if (words.empty()) return;
  const QString said_of = twice ? Lane::tr("%1 twice") : Lane::tr("%1 lost"), counted = Lane::tr("%1 transfers");
  for (const Said& said : words) {
    const int x = said.x;
    const QString text = said_of.arg(said.words(counted));
    const int width = canvas.plate_width(text, style);
    for (const int left : {x + 10, x - 10 - width}) {
      if (left < scene.left() || left + width > scene.right()) continue;
      if (!canvas.places().claim({left, axis - 8, width, style.height})) continue;
      canvas.plate(left, axis - 8, text, style);
      break;
    }
  }
}

void Transfers::write(Canvas& canvas, const Scene& scene) const {
  each_own_row(scene, LaneKind::kTransfers, [&](const RowBox& row) {
    const Account& account = accounts_[static_cast<std::size_t>(row.index)];
    const int axis = axis_of_bank(scene, row), top = scene.y(row) + line(1).y + line(1).height;
    write_postings(canvas, scene, account, TransferStep::kLost, axis, top);
    write_postings(canvas, scene, account, TransferStep::kCreditedAgain, axis, top);
    const auto say = [&](const Try& each) {
      if (!scene.shows(each.begin, each.end())) return;
      if (scene.clipped_x(each.end()) - scene.clipped_x(each.begin) <= kLeastNumber) return;
      int from = scene.clipped_x(each.begin), left = from, widest = 0;
      for (const TrueTime step : each.steps) {
        const int to = scene.clipped_x(step);
        if (to - from > widest) {
          widest = to - from;
          left = from;
        }
        from = to;
      }
      const TextStyle style{identity(canvas, scene, each.contender).on, 9, 600};
      const QString number = QString::number(each.transfer);
      const int width = canvas.width_of(number, style);
      const Band band = line(each.line);
      const int x = left + (std::min(widest, 60) - width) / 2, y = scene.y(row) + band.y;
      if (widest > std::max(kLeastNumber, width + 4) && canvas.places().claim({x, y, width, band.height}))
        canvas.text(x, y + 9, number, style);
    };
    for (std::size_t number = 0; number < account.in_time.size(); ++number) each_try(scene, account, number, say);
  });
}

void Transfers::head(Canvas& canvas, const Scene& scene, const RowBox& row) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kTransfers) return;
  const Colours& c = canvas.colours();
  const Account& account = accounts_[static_cast<std::size_t>(row.index)];
  const int y = scene.y(row);
  canvas.elided(kHeadText, y + 20, scene.left() - 72, QString::fromStdString(account.name), {c.text, 12, 600});
  const std::size_t twice = account.credited_again.size(), lost = account.lost.size();
  const bool wrong = twice + lost > 0;
  canvas.text(kHeadText, y + 34, tr("%1 twice · %2 lost").arg(twice).arg(lost),
              {wrong ? c.crit_text : c.muted, 10, 500});
  const TextStyle lane{c.muted, 10, 400, Face::kText, Align::kRight};
  canvas.text(scene.left() - 8, y + 20, tr("transfers"), lane);
  canvas.text(scene.left() - 8, y + row.height - 7, tr("posted"), lane);
}

// ---- hit, describe, legend

Hit Transfers::hit(const Scene& scene, const RowBox& row, QPoint at) const {
  if (row.kind != RowKind::kOwn || row.lane != LaneKind::kTransfers) return {};
  const Account& account = accounts_[static_cast<std::size_t>(row.index)];
  const TrueTime time = scene.viewport.time(at.x() - scene.left());
  for (std::size_t number = 0; number < account.in_time.size(); ++number) {
    const Band band = line(static_cast<int>(number));
    if (!inside(band, at.y() - scene.y(row))) continue;
    std::optional<std::size_t> last;  // that was begun to be told of
    each_at(account.in_time[number], time, [&](std::uint32_t i) {
      if (time >= account.tries[i].begin && time <= account.tries[i].end())
        last = std::max<std::size_t>(last.value_or(0), i);
    });
    if (!last) return {};
    const Try& found = account.tries[*last];
    const QRect bar(scene.x(found.begin), scene.y(row) + band.y,
                    std::max(1, scene.x(found.end()) - scene.x(found.begin)), band.height);
    return {LaneKind::kTransfers, row.kind, row.index, *last, bar, found.begin, found.end()};
  }
  return {};
}

HoverText Transfers::describe(const ChartData& data, const Hit& hit, TrueTime /*at*/) const {
  const Try& each = accounts_[static_cast<std::size_t>(hit.row)].tries[hit.index];
  HoverText text;
  text.contender = each.contender;
  text.title = tr("transfer");
  text.right = QString::number(each.transfer);
  text.lines.emplace_back(tr("from – to"), data.axis().stretchText(each.begin, each.end()));
  text.lines.emplace_back(tr("steps"), QString::number(each.steps.size()));
  text.lines.emplace_back(tr("then"), each.settled    ? tr("settled")
                                      : each.given_up ? tr("broken off")
                                                      : tr("under way"));
  return text;
}

std::vector<LegendMark> Transfers::legend() const {
  return {{LegendGroup::kHappens, tr("transfer"), tr("a cell a step; hollow where it broke off"),
           [](Canvas& c, const QRect& at) {
             const QColor& ink = c.colours().id[2].ink;
             for (const int x : {0, 8, 16}) c.fill(at.x() + x, at.y() + 3, 7, 11, ink);
             c.fill(at.x() + 36, at.y() + 3, 7, 11, ink);
             c.frame(at.x() + 44, at.y() + 3, kBroken, 11, ink);
           }},
          {LegendGroup::kHappens, tr("transfer twice, lost"), tr("posted again; settled though it was never posted"),
           [](Canvas& c, const QRect& at) {
             c.hline(at.y() + 8, at.x(), at.x() + at.width(), c.colours().resource);
             c.diamond(at.x() + 14.5, at.y() + 8, 7, c.colours().panel);
             paint_lost(c, at.x() + 40, at.y() + 8);
           }}};
}

}  // namespace

std::unique_ptr<Lane> transfers_lane() { return std::make_unique<Transfers>(); }

}  // namespace leasescope
