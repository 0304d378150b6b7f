// Messages on their way: what the history has both moments of is drawn from the one to the other, and nothing else is.
#include <QImage>

#include "tests/support/ui_suite.h"
#include "tests/ui/gc_pause_history.h"
#include "ui/timeline/lanes/lane.h"
#include "ui/timeline/paint/marks.h"
#include "ui/timeline/paint/painter.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr std::int64_t kLength = 20'000;  // ms in view

// A run whose events know what led to them.
class Run : public HistoryWriter {
 public:
  // Their numbers.
  Sequence granted(std::int64_t at, Name who, Token token, EventKind kind = EventKind::kGranted) {
    add(at, who, kind, token, ms(7000));
    return last();
  }
  Sequence checked(std::int64_t at, Name who, Token token) {
    add(at, who, EventKind::kChecked, token);
    return last();
  }
  void answered(std::int64_t at, Name who, Token token, Sequence cause, AttemptResult result = AttemptResult::kWon) {
    add(at, who, EventKind::kAttempt, token, ms(7000), static_cast<std::int64_t>(RequestKind::kAcquire),
        static_cast<std::uint8_t>(result))
        .cause = cause;
  }
  void written(std::int64_t at, Name who, Token token, Sequence cause, EventKind kind = EventKind::kWriteAccepted) {
    add(at, who, kind, token, ledger.handle, static_cast<std::int64_t>(token)).cause = cause;
  }

 private:
  Sequence last() const { return history.last(); }
};

struct Chart {
  ChartData data;
  ChartLayout layout;

  explicit Chart(Run& run, const RunFacts& facts = gc_pause_facts()) {
    run.history.now = at_ms(kLength);
    data.reset(facts);
    data.append(run.history);
    layout = layout_chart(data, 1200);
  }
  Scene scene(std::int64_t from = 0, std::int64_t to = kLength) const {
    return {data, layout, Viewport::fitting(at_ms(from), at_ms(to), layout.plot_width()), layout.height(), 0};
  }
  QImage paint() const {
    QImage image(layout.width, layout.height(), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    TileCache tiles;
    paint_chart(painter, scene(), Theme::kLight, tiles);
    return image;
  }
  const RowBox& row(RowKind kind) const {
    return *std::find_if(layout.rows.begin(), layout.rows.end(), [&](const RowBox& row) { return row.kind == kind; });
  }
  int below(int contender) const {
    const RowBox& row = *layout.contender_row(contender);
    return scene().y(row) + row.height;
  }
  // What a pointer is told of at a moment, anywhere in a contender's row.
  std::vector<HoverText> told(int contender, std::int64_t at, const Scene& in) const {
    std::vector<HoverText> out;
    const RowBox* const row = layout.contender_row(contender);
    if (row == nullptr) return out;  // folded
    for (int y = in.y(*row); y < in.y(*row) + row->height; ++y)
      if (const Hit hit = hit_test(in, {in.x(at_ms(at)), y})) out.push_back(describe(data, hit, at_ms(at)));
    return out;
  }
  bool says(int contender, std::int64_t at, const char* title, const Scene& in) const {
    const std::vector<HoverText> all = told(contender, at, in);
    return std::any_of(all.begin(), all.end(),
                       [&](const HoverText& text) { return text.title == QLatin1String(title); });
  }
  bool says(int contender, std::int64_t at, const char* title) const { return says(contender, at, title, scene()); }
  // Whether one of the lines below that title says so.
  bool tells(int contender, std::int64_t at, const char* title, const char* label, const char* value) const {
    for (const HoverText& text : told(contender, at, scene()))
      if (text.title == QLatin1String(title))
        return std::find(text.lines.begin(), text.lines.end(),
                         std::pair{QString::fromLatin1(label), QString::fromLatin1(value)}) != text.lines.end();
    return false;
  }
};

// Of a colour in the column of a moment, between two heights.
int in_column(const Chart& chart, const QImage& image, std::int64_t at, int top, int bottom, const QColor& colour) {
  const int x = chart.scene().x(at_ms(at));
  int found = 0;
  for (int y = top; y < bottom; ++y) found += image.pixelColor(x, y) == colour;
  return found;
}

}  // namespace

class MessagesTest : public UiSuite {
  Q_OBJECT
 private slots:
  // A pause keeps the answer back for seconds: from the store's row up, and on to when it was heard.
  void anAnswerLeadsFromTheStoreToWhoAsked() {
    Run run;
    run.answered(8000, run.a, 1, run.granted(2000, run.a, 1));
    const Chart chart(run);
    QVERIFY(chart.says(0, 5000, "grant answered"));
    QVERIFY(!chart.says(0, 1000, "grant answered"));
    QVERIFY(!chart.says(0, 9000, "grant answered"));
    QVERIFY(!chart.says(1, 5000, "grant answered"));
    QVERIFY(chart.tells(0, 5000, "grant answered", "applied", "2.000 s"));
    QVERIFY(chart.tells(0, 5000, "grant answered", "answered", "8.000 s"));
    QVERIFY(chart.tells(0, 5000, "grant answered", "sent", "not in the history"));
    const QImage image = chart.paint();
    const Scene scene = chart.scene();
    const QColor& ink = colours(Theme::kLight).arrow;
    const int from = chart.below(0), to = scene.y(chart.row(RowKind::kStore));
    QVERIFY(in_column(chart, image, 2000, from, to, ink) > (to - from) / 2);
    // In the rows of the others; the resource has a line of its own in that colour.
    QCOMPARE(in_column(chart, image, 8000, from, chart.below(2), ink), 0);
  }
  void aRenewalIsAnsweredAsOne() {
    Run run;
    run.granted(1000, run.a, 1);
    run.answered(8000, run.a, 1, run.granted(4000, run.a, 1, EventKind::kRenewed));
    QVERIFY(Chart(run).says(0, 6000, "renewal answered"));
  }
  // The owner stands still between its check and its write: down to the resource when it arrives, in the colour of
  // what became of it.
  void aWriteLeadsFromItsCheckToTheResource_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("title");
    QTest::newRow("accepted") << static_cast<int>(EventKind::kWriteAccepted) << "write accepted";
    QTest::newRow("rejected") << static_cast<int>(EventKind::kWriteRejected) << "write rejected";
    QTest::newRow("stale") << static_cast<int>(EventKind::kWriteStaleAccepted) << "stale write accepted";
  }
  void aWriteLeadsFromItsCheckToTheResource() {
    QFETCH(int, kind);
    QFETCH(QString, title);
    const auto result = static_cast<EventKind>(kind);
    Run run;
    run.written(9000, run.a, 1, run.checked(3000, run.a, 1), result);
    const Chart chart(run);
    const QByteArray words = title.toLatin1();
    QVERIFY(chart.says(0, 6000, words.constData()));
    QVERIFY(!chart.says(0, 2000, words.constData()));
    QVERIFY(!chart.says(0, 10'000, words.constData()));
    QVERIFY(chart.tells(0, 6000, words.constData(), "left", "not in the history"));
    QVERIFY(chart.tells(0, 6000, words.constData(), "resource", "ledger"));
    const Colours& c = colours(Theme::kLight);
    const QColor ink = result == EventKind::kWriteRejected        ? c.write_rejected
                       : result == EventKind::kWriteStaleAccepted ? c.write_stale
                                                                  : c.write_accepted;
    const QImage image = chart.paint();
    const Scene scene = chart.scene();
    const int from = chart.below(0), to = scene.y(chart.row(RowKind::kResource));
    QVERIFY(in_column(chart, image, 9000, from, to, ink) > (to - from) / 2);
    QCOMPARE(in_column(chart, image, 3000, from, to, ink), 0);
  }
  // After a pause it is the pause's end that led to it; the check before the pause is its own all the same, and that it
  // left no earlier than the end is known.
  void aWriteThatAPauseKeptBackIsFromTheCheckBeforeIt() {
    Run run;
    const auto pause = static_cast<std::uint8_t>(index_of(*find_fault_kind("pause")));
    run.checked(3000, run.a, 1);
    run.add(3010, run.a, EventKind::kFaultBegan, kNoToken, ms(4990), 0, pause);
    run.add(8000, run.a, EventKind::kFaultEnded, kNoToken, ms(4990), 0, pause);
    run.written(8200, run.a, 1, run.history.last(), EventKind::kWriteRejected);
    const Chart chart(run);
    QVERIFY(chart.tells(0, 5000, "write rejected", "checked", "3.000 s"));
    QVERIFY(chart.tells(0, 5000, "write rejected", "left", "not before 8.000 s"));
    QVERIFY(chart.tells(0, 5000, "write rejected", "arrived", "8.200 s"));
  }
  // A system whose application calls: from the call on, and over its return.
  void anAnswerKnowsTheCallThatItIsTo() {
    Run run;
    run.add(1000, run.a, EventKind::kInvoked);
    const Sequence call = run.history.last(), grant = run.granted(4000, run.a, 1);
    run.history.events.back().cause = call;
    run.add(8000, run.a, EventKind::kReturned, 1).cause = grant;
    run.answered(8000, run.a, 1, run.history.last());
    const Chart chart(run);
    QVERIFY(chart.tells(0, 2000, "grant answered", "called", "1.000 s"));
    QVERIFY(chart.tells(0, 6000, "grant answered", "applied", "4.000 s"));
    QVERIFY(chart.tells(0, 6000, "grant answered", "answered", "8.000 s"));
  }
  // A late one that others have overtaken is from its own check all the same.
  void aLateWriteIsFromItsOwnCheck() {
    Run run;
    const Sequence late = run.checked(2000, run.a, 1), next = run.checked(4000, run.a, 1);
    run.written(7000, run.a, 1, next);
    run.written(15'000, run.a, 1, late);
    const Chart chart(run);
    QVERIFY(chart.says(0, 3000, "write accepted"));
    QVERIFY(chart.says(0, 12'000, "write accepted"));
  }
  void whatTheHistoryDoesNotSayIsNotDrawn_data() {
    QTest::addColumn<int>("what");
    int what = 0;
    for (const char* each :
         {"no cause", "lost", "within bounds", "another term", "one check of two writes", "checks of several resources",
          "a write without a check", "a write that what came before the last check led to"})
      QTest::newRow(each) << what++;
  }
  void whatTheHistoryDoesNotSayIsNotDrawn() {
    QFETCH(int, what);
    Run run;
    RunFacts facts = gc_pause_facts();
    if (what == 0) {
      run.granted(2000, run.a, 1);
      run.answered(8000, run.a, 1, 0);
    } else if (what == 1) {
      run.answered(8000, run.a, 1, run.granted(2000, run.b, 1), AttemptResult::kLost);
    } else if (what == 2) {
      const Sequence grant = run.granted(2000, run.a, 1);
      run.history.events.back().lo = at_ms(1000);
      run.answered(8000, run.a, 1, grant);
    } else if (what == 3) {
      run.answered(8000, run.a, 2, run.granted(2000, run.a, 1));
    } else if (what == 4) {
      const Sequence check = run.checked(500, run.a, 1);
      run.written(600, run.a, 1, check);
      run.written(8000, run.a, 1, check);
    } else if (what == 5) {
      facts.legend.resources.push_back({"archive", true});
      run.written(8000, run.a, 1, run.checked(2000, run.a, 1));
    } else if (what == 6) {
      run.written(8000, run.a, 1, run.granted(2000, run.a, 1));
    } else {
      const Sequence grant = run.granted(1000, run.a, 1);
      run.checked(2000, run.a, 1);
      run.written(8000, run.a, 1, grant);
    }
    const Chart chart(run, facts);
    for (const char* title : {"grant answered", "renewal answered", "write accepted"})
      QVERIFY(!chart.says(0, 5000, title));
  }
  // A few milliseconds are no arrow until there are pixels for them.
  void aShortOneIsSeenWhenItIsZoomedIn() {
    Run run;
    run.answered(2004, run.a, 1, run.granted(2000, run.a, 1));
    const Chart chart(run);
    QVERIFY(!chart.says(0, 2002, "grant answered"));
    QVERIFY(chart.says(0, 2002, "grant answered", chart.scene(1990, 2040)));
  }
  void theLegendSaysWhatIsNotKnown() {
    QStringList notes;
    for (const LegendMark& mark : chart_legend())
      if (mark.name.endsWith(QStringLiteral("on its way"))) notes << mark.note;
    QCOMPARE(notes.size(), 2);
    for (const QString& note : notes) QVERIFY2(note.contains(QStringLiteral("not known")), qPrintable(note));
  }
};

LEASESCOPE_SUITE(MessagesTest)
#include "messages_test.moc"
