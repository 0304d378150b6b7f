#include "ui/charts/measure_drawing.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "core/history/figures.h"
#include "simulator/run/fidelity.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(Measures)
};

constexpr int kMostBars = 48, kMostStretches = 120;
constexpr std::size_t kMostPoints = 1'000;  // of one line

QString titled(const Measure& measure) {
  QString title = fromText(measure.name());
  title[0] = title[0].toUpper();
  return title;
}

double seconds(Duration d) { return std::chrono::duration<double>(d).count(); }

// In which a chart counts, so that its figures are short. The labels of Qt Charts take no sign beyond ASCII.
struct Unit {
  QString name;
  double ns = 1;
};
Unit unit_for(double most_ns) {
  return most_ns >= 1e9 ? Unit{QStringLiteral("s"), 1e9} : Unit{QStringLiteral("ms"), 1e6};
}

Duration nth(std::vector<Duration>& values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// ---- lengths

// Where nearly all of them are: a few that are far out would leave no room for the rest.
struct Range {
  double from = 0, step = 1;
  std::size_t bars = 1;
  double end() const { return from + step * static_cast<double>(bars); }
};
Range range_of(std::vector<Duration> values) {
  const auto low = static_cast<double>(nth(values, 0.005).count());
  const auto high = static_cast<double>(nth(values, 0.995).count());
  // All of one length: a bar that is a tenth of it, in the midst of an axis.
  const double spread = high > low ? high - low : std::max(1e3, std::abs(high));
  Range out;
  out.step = std::max(1.0, round_step(spread, kMostBars - 2));  // no length is told more finely
  out.from = std::floor(low / out.step) * out.step;
  out.bars = static_cast<std::size_t>(std::floor((high - out.from) / out.step)) + 1;
  return out;
}

QString bar_text(const ChartBar& bar, const QString& unit, bool and_less, bool and_more) {
  const auto number = [](double value) { return QString::number(value, 'g', 5); };
  const QString count = countText(static_cast<std::uint64_t>(bar.height));
  if (and_less && and_more) return Say::tr("all: %1").arg(count);
  if (and_less) return Say::tr("up to %1 %2: %3").arg(number(bar.to), unit, count);
  if (and_more) return Say::tr("%1 %2 and more: %3").arg(number(bar.from), unit, count);
  return Say::tr("%1 to %2 %3: %4").arg(number(bar.from), number(bar.to), unit, count);
}

void draw(ChartDrawing& out, const Lengths& lengths) {
  if (lengths.kept() == 0) return;
  const Range range = range_of(lengths.values());
  const double end = range.end();
  const Unit unit = unit_for(std::max(std::abs(range.from), std::abs(end)));
  out.across = unit.name;
  out.unit_ns = unit.ns;
  out.bars.resize(range.bars);
  for (std::size_t i = 0; i < range.bars; ++i) {
    out.bars[i].from = (range.from + range.step * static_cast<double>(i)) / unit.ns;
    out.bars[i].to = (range.from + range.step * static_cast<double>(i + 1)) / unit.ns;
  }
  for (const Duration value : lengths.values()) {
    const double place = std::floor((static_cast<double>(value.count()) - range.from) / range.step);
    out.bars[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(range.bars - 1)))].height += 1;
  }
  const bool less = static_cast<double>(lengths.shortest().count()) < range.from;
  const bool more = static_cast<double>(lengths.longest().count()) >= end;
  for (std::size_t i = 0; i < range.bars; ++i)
    out.bars[i].text = bar_text(out.bars[i], unit.name, less && i == 0, more && i + 1 == range.bars);
  // A bar's width of air at both ends.
  out.from = out.bars.front().from - range.step / unit.ns;
  out.to = out.bars.back().to + range.step / unit.ns;
  const Percentiles of = percentiles_of(lengths.values());
  for (const auto& [length, name] : {std::pair{of.p50, Say::tr("median")}, std::pair{of.p99, Say::tr("99 %")}})
    out.marks.push_back({static_cast<double>(length.count()) / unit.ns, name});
  if (of.count < lengths.count())
    out.note += Say::tr(" · %1 of %2 drawn").arg(countText(of.count), countText(lengths.count()));
}

// ---- a rate

void draw(ChartDrawing& out, const Rate& rate, TrueTime now) {
  if (rate.count() == 0) return;
  const std::vector<Rate::Stretch>& stretches = rate.stretches();
  const double whole = std::max(seconds(now.time_since_epoch()), seconds(rate.width()));
  // So many stretches a bar.
  const double least = seconds(rate.width());
  const double width = std::max(least, std::ceil(round_step(whole, kMostStretches) / least - 1e-9) * least);
  const auto each = static_cast<std::size_t>(std::lround(width / least));
  out.across = QStringLiteral("s");
  out.title += u' ' + Say::tr("a second");
  out.to = whole;
  for (std::size_t i = 0; i < stretches.size(); i += each) {
    ChartBar bar;
    bar.from = static_cast<double>(i) * least;
    bar.to = std::max(bar.from + least, std::min(whole, bar.from + width));
    Rate::Stretch sum;
    for (std::size_t j = i; j < std::min(stretches.size(), i + each); ++j) {
      sum.all += stretches[j].all;
      sum.bad += stretches[j].bad;
    }
    bar.height = static_cast<double>(sum.all) / (bar.to - bar.from);
    bar.bad = static_cast<double>(sum.bad) / (bar.to - bar.from);
    bar.text =
        Say::tr("%1 to %2 s: %3 a second").arg(bar.from, 0, 'g', 6).arg(bar.to, 0, 'g', 6).arg(bar.height, 0, 'f', 1);
    if (sum.bad > 0) bar.text += u'\n' + Say::tr("failed or without an answer: %1").arg(countText(sum.bad));
    out.bars.push_back(bar);
  }
  if (rate.bad() > 0) out.note += Say::tr(" · %1 failed or without an answer").arg(countText(rate.bad()));
}

// ---- courses

void draw(ChartDrawing& out, const Courses& courses, const History& history, const Cast& cast, const Colours& colours) {
  if (courses.empty()) return;
  double most = 0;
  for (const OffsetCourse& course : courses)
    for (const OffsetCourse::Point& point : course.points)
      most = std::max({most, std::abs(static_cast<double>(point.off.count())),
                       std::abs(static_cast<double>(course.off(history.now).count()))});
  const Unit unit = unit_for(most);
  out.across = QStringLiteral("s");
  out.up = unit.name;
  out.to = std::max(1e-3, seconds(history.now.time_since_epoch()));
  for (const OffsetCourse& course : courses) {
    const int place = cast.indexOf(history, course.who);
    ChartLine line;
    line.name = place >= 0 ? cast.shortName(history, course.who) : fromText(history.names.text(course.who));
    line.colour = place >= 0 ? colours.id[static_cast<std::size_t>(place % kIdentities)].ink : colours.text;
    const auto put = [&](TrueTime at, Duration off) {
      line.points.emplace_back(seconds(at.time_since_epoch()), static_cast<double>(off.count()) / unit.ns);
    };
    put(TrueTime{}, {});
    // A step is upright: where it was until then, and where it is from then on.
    for (std::size_t i = 0; i < course.points.size(); ++i) {
      const OffsetCourse::Point& point = course.points[i];
      put(point.at, i == 0 ? Duration{} : OffsetCourse{course.who, {course.points[i - 1]}}.off(point.at));
      put(point.at, point.off);
    }
    put(std::max(history.now, course.points.back().at), course.off(history.now));
    line.points = thinned(line.points, kMostPoints);
    out.lines.push_back(std::move(line));
  }
}

}  // namespace

ChartDrawing drawing_of_two(const Measure& a, const Measure& b, const Colours& colours) {
  ChartDrawing out;
  out.title = titled(a);
  out.empty = Say::tr("Nothing to compare: %1.").arg(fromText(a.about()));
  const auto &of_a = std::get<Lengths>(a.measured()), &of_b = std::get<Lengths>(b.measured());
  if (of_a.kept() == 0 || of_b.kept() == 0) return out;
  const Range range_a = range_of(of_a.values()), range_b = range_of(of_b.values());
  const double from = std::min(range_a.from, range_b.from), to = std::max(range_a.end(), range_b.end());
  const Unit unit = unit_for(std::max(std::abs(from), std::abs(to)));
  out.across = unit.name;
  out.unit_ns = unit.ns;
  out.up = QStringLiteral("%");
  out.from = from / unit.ns;
  out.to = to / unit.ns;
  for (const bool second : {false, true}) {
    ChartLine line{second ? QStringLiteral("B") : QStringLiteral("A"), colours.text, {}, second};
    std::vector<Duration> values = (second ? of_b : of_a).values();
    std::sort(values.begin(), values.end());
    const auto across = [&](Duration value) {
      return std::clamp(static_cast<double>(value.count()), from, to) / unit.ns;
    };
    line.points.emplace_back(out.from, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const std::size_t below : {i, i + 1})
        line.points.emplace_back(across(values[i]),
                                 100.0 * static_cast<double>(below) / static_cast<double>(values.size()));
    line.points.emplace_back(out.to, 100);
    line.points = thinned(line.points, kMostPoints);
    out.lines.push_back(std::move(line));
  }
  const auto as_numbers = [](const Lengths& lengths) {
    std::vector<double> values;
    for (const Duration value : lengths.values()) values.push_back(static_cast<double>(value.count()));
    return values;
  };
  out.note = Say::tr("KS %1 · %2 and %3")
                 .arg(kolmogorov_smirnov(as_numbers(of_a), as_numbers(of_b)), 0, 'f', 2)
                 .arg(countText(of_a.count()), countText(of_b.count()));
  return out;
}

ChartDrawing drawing_of(const Measure& measure, const History& history, const Cast& cast, const Colours& colours) {
  ChartDrawing out;
  out.title = titled(measure);
  out.note = fromText(measure.about());
  out.empty = Say::tr("Nothing measured yet: %1.").arg(fromText(measure.about()));
  if (const auto* const lengths = std::get_if<Lengths>(&measure.measured())) draw(out, *lengths);
  if (const auto* const rate = std::get_if<Rate>(&measure.measured())) draw(out, *rate, history.now);
  if (const auto* const courses = std::get_if<Courses>(&measure.measured()))
    draw(out, *courses, history, cast, colours);
  return out;
}

std::optional<TrueTime> moment_in(const Measure& measure, const ChartDrawing& drawing, int bar, TrueTime after) {
  const ChartBar& chosen = drawing.bars[static_cast<std::size_t>(bar)];
  if (const auto* const lengths = std::get_if<Lengths>(&measure.measured())) {
    const bool first = bar == 0, last = bar + 1 == static_cast<int>(drawing.bars.size());
    const auto length = [&](double at) { return Duration(std::llround(at * drawing.unit_ns)); };
    return lengths->next_within(first ? Duration::min() : length(chosen.from),
                                last ? Duration::max() : length(chosen.to), after);
  }
  return TrueTime(Duration(std::llround(chosen.from * drawing.unit_ns)));
}

}  // namespace leasescope
