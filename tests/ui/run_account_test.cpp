// A report is the same whether its events were held to the end, or came by and were forgotten.
#include "ui/report/run_account.h"

#include "simulator/scenario/reader.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/report/evidence.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// So far the cause of an event lies behind it at most, and a write's that was paused for 700 s.
constexpr std::size_t kHeld = 1'000, kHeldOfHours = 20'000;

// Two contenders for four hours, one of them paused now and then, and now and then for longer than stories reach.
Scenario hours() {
  std::string toml =
      "schema = 1\ntitle = \"hours\"\nseed = 3\nduration = \"14400s\"\n[mutex]\nname = \"orders\"\nttl = \"2s\"\n"
      "transition = \"1s\"\n[[contender]]\nname = \"a\"\n[[contender]]\nname = \"b\"\n"
      "[[resource]]\nname = \"ledger\"\nwrite_every = \"500ms\"\n";
  for (int i = 0; i < 8; ++i)
    toml += fmt::format("[[fault]]\nat = \"{}s\"\nkind = \"pause\"\ntarget = \"owner\"\nduration = \"{}s\"\n",
                        800 * i + 100, i == 4 ? 700 : 5);
  return read_scenario(toml, "hours").value();
}

// So many events at a time, and then so many of the last are held.
struct Pieces {
  std::size_t events, held;
};
template <class Take>
void in_pieces(const History& all, Pieces of, Take&& take) {
  const std::size_t piece = of.events;
  History page = frame_of(all);
  page.incidents = {};
  page.now = {};
  for (std::size_t from = 0; from < all.events.size(); from += piece) {
    const auto begin = all.events.begin() + static_cast<std::ptrdiff_t>(from);
    const auto count = static_cast<std::ptrdiff_t>(std::min(piece, all.events.size() - from));
    page.events.insert(page.events.end(), begin, begin + count);
    take(page);
    page.forget_all_but(of.held);
  }
}

// As the terminal makes them of a run that it does not hold.
QByteArray made_of_pieces(const ReportSubject& whole, const ReportFormat& format, Pieces pieces) {
  ChartData data;
  data.reset(whole.data.facts());
  in_pieces(whole.history, pieces, [&](const History& page) { data.fold(page); });
  History end = frame_of(whole.history);
  end.forgotten = whole.history.last();
  data.append(end);
  Cast cast;
  cast.reset(end.legend.contenders);
  cast.sync(whole.history);
  ReportSubject subject{.history = end,
                        .data = data,
                        .scenario = whole.scenario,
                        .outcome = whole.outcome,
                        .part = whole.part,
                        .rules = whole.rules,
                        .cast = &cast};
  TextSink out;
  if (format.rows != nullptr) {
    const std::unique_ptr<RowReport> rows = format.rows(subject);
    in_pieces(whole.history, pieces, [&](const History& page) { rows->append(page, out); });
    return QByteArray::fromStdString(out.take());
  }
  RunAccount account(
      {.frame = frame_of(whole.history), .cast = cast, .rules = whole.rules, .watched = is_of_watch(subject)});
  in_pieces(whole.history, pieces, [&](const History& page) { account.append(page); });
  account.finish();
  subject.account = &account;
  return format.write(subject, out) ? QByteArray::fromStdString(out.take()) : QByteArray();
}

}  // namespace

class RunAccountTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aReportOfWhatWasForgottenIsTheSame_data() {
    QTest::addColumn<QByteArray>("scenario");
    QTest::addColumn<QByteArray>("ending");
    for (const char* scenario : {"gc-pause", "redis-failover", "fenced-gc-pause", "mixed-fleet", "store-clock-forward"})
      for (const ReportFormat& format : report_formats()) {
        if (format.ending == ".pdf")
          continue;  // its fonts are in another order each time; its words are those of .html
        QTest::addRow("%s%s", scenario, format.ending.data())
            << QByteArray(scenario) << QByteArray(format.ending.data());
      }
  }
  void aReportOfWhatWasForgottenIsTheSame() {
    QFETCH(QByteArray, scenario);
    QFETCH(QByteArray, ending);
    const Ended ended(scenario.toStdString());
    ReportSubject whole = ended.subject();
    const ReportFormat& format = *report_format_of(ending.toStdString());
    const QByteArray expected = made(whole, format.ending);
    QVERIFY(expected.size() > 500);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}})
      QVERIFY2(made_of_pieces(whole, format, {piece, kHeld}) == expected, std::to_string(piece).c_str());
    // Of a part too.
    whole.part = {at_ms(10'000), at_ms(22'000)};
    QVERIFY(made_of_pieces(whole, format, {100, kHeld}) == made(whole, format.ending));
  }

  void storiesThatAreHoursApartAreTold() {
    const Scenario scenario = hours();
    VirtualRun run(scenario);
    run.advance(TrueTime::max());
    run.finish();
    const Outcome outcome = run.outcome();
    QVERIFY2(run.history().incidents.size() >= 4, std::to_string(run.history().incidents.size()).c_str());
    ChartData data;
    data.reset(run_facts(scenario));
    data.append(run.history());
    const ReportSubject whole{.history = run.history(), .data = data, .scenario = scenario, .outcome = outcome};
    for (const char* ending : {".html", ".md"}) {
      const QByteArray expected = made(whole, ending);
      QVERIFY(expected.size() > 5000);
      QVERIFY2(made_of_pieces(whole, *report_format_of(ending), {1000, kHeldOfHours}) == expected, ending);
    }
  }

  void aTellerHoldsWhatLiesAroundTheIncidentsAlone() {
    const Scenario scenario = hours();
    VirtualRun run(scenario);
    run.advance(TrueTime::max());
    run.finish();
    const History& all = run.history();
    Cast cast;
    cast.reset(all.legend.contenders);
    cast.sync(all);
    StoryTeller teller(frame_of(all), cast);
    std::size_t most = 0, least = all.events.size();
    in_pieces(all, {100, kHeld}, [&](const History& page) {
      teller.append(page);
      most = std::max(most, teller.held());
      if (page.forgotten > 0) least = std::min(least, teller.held());
    });
    // Of four hours the longest incident, of 700 s, with six minutes before and behind it, and the next one's; twice,
    // before what is over is let go of.
    QVERIFY2(most > 0 && most < all.events.size() / 2, std::to_string(most).c_str());
    QCOMPARE(least, std::size_t{0});
    teller.finish();
    QCOMPARE(teller.held(), std::size_t{0});
    for (const std::size_t place : worst_incidents(all.incidents)) QVERIFY(teller.find(place) != nullptr);
  }
};

LEASESCOPE_SUITE(RunAccountTest)
#include "run_account_test.moc"
