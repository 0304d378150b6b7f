// A report as a browser shows it, which knows nothing of ours.
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include "tests/support/other_readers.h"
#include "tests/support/ui_suite.h"
#include "tests/ui/report_runs.h"
#include "ui/models/words.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

// Put into a copy of the page: what the browser shows of the table of incidents, and not what stands in the file.
constexpr const char* kProbe = R"(<script>addEventListener('load', () => {
  const seen = [...document.querySelectorAll('#incidents tbody tr')].filter((row) => row.checkVisibility() &&
      row.getBoundingClientRect().height > 10).map((row) => ({kind: row.dataset.kind, start: row.dataset.startNs,
      end: row.dataset.endNs, words: row.innerText}));
  const charts = [...document.querySelectorAll('.paper > svg:first-child')].map((svg) => svg.getBoundingClientRect().width);
  const zone = document.querySelector('.zones rect');
  zone.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: 300}));
  const card = document.getElementById('card');
  const result = document.createElement('pre');
  result.id = 'probe';
  result.textContent = JSON.stringify({seen, charts, card: card.checkVisibility() ? card.innerText : '',
      fetched: performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.startsWith('data:'))});
  document.body.append(result);
});</script>)";

}  // namespace

class HtmlReportTest : public UiSuite {
  Q_OBJECT
 private slots:
  void aBrowserShowsTheIncidentsOfTheHistory_data() {
    QTest::addColumn<QString>("scenario");
    for (const char* name : {"gc-pause", "redis-failover", "fenced-gc-pause", "healthy"}) QTest::newRow(name) << name;
  }
  void aBrowserShowsTheIncidentsOfTheHistory() {
    QFETCH(QString, scenario);
    const Ended ended(scenario.toStdString());
    const QJsonObject probe = probed(made(ended.subject(), ".html"));
    const IncidentList& incidents = ended.run.history().incidents;
    const QJsonArray seen = probe[QStringLiteral("seen")].toArray();
    QCOMPARE(static_cast<std::size_t>(seen.size()), incidents.size());
    QCOMPARE(scenario == QStringLiteral("healthy"), incidents.empty());
    std::multiset<QStringList> shown, real;
    for (const QJsonValue& row : seen) {
      shown.insert({row[QStringLiteral("kind")].toString(), row[QStringLiteral("start")].toString(),
                    row[QStringLiteral("end")].toString()});
      const QString words = row[QStringLiteral("words")].toString();
      const auto known = std::find_if(incidents.begin(), incidents.end(), [&](const Incident& each) {
        return words.contains(fromText(title(each.kind))) && words.contains(secondsText(each.start)) &&
               words.contains(fromText(each.cause));
      });
      QVERIFY2(known != incidents.end(), qPrintable(words));
    }
    for (const Incident& each : incidents)
      real.insert({fromText(text(each.kind)), QString::number(each.start.time_since_epoch().count()),
                   QString::number(each.end.time_since_epoch().count())});
    QVERIFY(shown == real);
    QVERIFY(probe[QStringLiteral("fetched")].toArray().isEmpty());
    QVERIFY(probe[QStringLiteral("charts")].toArray().first().toDouble() > 900);
    QVERIFY2(!probe[QStringLiteral("card")].toString().isEmpty(), "pointing at a mark shows no card");
  }

  void aPageIsLightOrDarkAsTheReadersSystemIs() {
    const Ended ended("gc-pause");
    const QString file = put(folder_, made(ended.subject(), ".html"), "themes.html");
    for (const Theme theme : {Theme::kLight, Theme::kDark}) {
      const QString shot =
          folder_.filePath(theme == Theme::kLight ? QStringLiteral("light.png") : QStringLiteral("dark.png"));
      const Read drawn =
          browse(file, {QStringLiteral("--window-size=1312,1000"),
                        QStringLiteral("--blink-settings=preferredColorScheme=%1").arg(theme == Theme::kLight ? 1 : 0),
                        QStringLiteral("--screenshot=") + shot});
      QVERIFY2(drawn.done, drawn.why);
      const QImage image(shot);
      QCOMPARE(image.pixelColor(2, 2), colours(theme).window);
      QVERIFY2(tape_in(image, theme) > 300, "the chart is not of that theme");
      const Theme other = theme == Theme::kLight ? Theme::kDark : Theme::kLight;
      QVERIFY2(tape_in(image, other) == 0, "the chart of the other theme is shown too");
    }
  }

  void eachStoryEndsWithItsMargin() {
    const Ended ended("gc-pause");
    const QByteArray page = made(ended.subject(), ".html");
    QCOMPARE(page.count("<p class=\"margin\">"), page.count("</article>"));
    QVERIFY(page.count("</article>") > 0);
    QVERIFY(page.contains(" left when a pause of "));
  }

  void nothingIsNamedThatCouldBeFetched() {
    const Ended ended("gc-pause");
    const QByteArray page = made(ended.subject(), ".html");
    QVERIFY(page.startsWith("<!DOCTYPE html>"));
    for (const char* word : {"http://", "https://", "src=", "<link", "@import", "xlink:"})
      QVERIFY2(!page.contains(word), word);
    static const QRegularExpression url(QStringLiteral("url\\((?!data:)"));
    QVERIFY(!QString::fromUtf8(page).contains(url));
  }

  void aNameThatIsMarkupIsShownAsItStands() {
    const QString evil = QStringLiteral("<script>document.title='taken'</script>\"'&amp;<img src=x>");
    const Ended ended("gc-pause", {"mutex.name=" + toml_text(evil)});
    const QByteArray page = made(ended.subject(), ".html");
    QVERIFY(!page.contains("<script>document") && !page.contains("<img"));
    const QString file = put(folder_, page, "evil.html");
    const Read dom = browse(file, {QStringLiteral("--dump-dom")});
    QVERIFY2(dom.done, dom.why);
    QCOMPARE(dom.out.count(QStringLiteral("<script")), 1);
    QVERIFY(!dom.out.contains(QStringLiteral("<title>taken")));
    QVERIFY(dom.out.contains(QStringLiteral("&lt;script&gt;document.title='taken'&lt;/script&gt;")));
    const QByteArray drawing = made(ended.subject(), ".svg");
    QVERIFY(!drawing.contains("<script>") && drawing.contains("&lt;script&gt;"));
  }

  void whatWasNotObservedIsSaidWithItsReason() {
    ByHand run;
    run.go_blind();
    const QByteArray page = made(run.subject(), ".html");
    const qsizetype section = page.indexOf("What was not observed"), end = page.indexOf("</section>", section);
    const QByteArray words = page.mid(section, end - section);
    for (const char* word : {"60.100", "60.900", "800 ms", "the store did not answer"})
      QVERIFY2(words.contains(word), words);
    QVERIFY2(!words.contains("answered all the time"), words);
  }

  void thatAllWasObservedIsSaidToo() {
    const Ended ended("gc-pause");
    QVERIFY(made(ended.subject(), ".html").contains("Everything was observed"));
    ByHand run;
    const QByteArray page = made(run.subject(), ".html");
    QVERIFY(page.contains("The store answered all the time"));
    ReportSubject part = ended.subject();
    part.part = {at_ms(16'000), at_ms(22'000)};
    const QByteArray of_part = made(part, ".html");
    QVERIFY(of_part.contains("Only 16.000 – 22.000 s of the run is reported") &&
            !of_part.contains("Everything was observed"));
  }

 private:
  static std::string toml_text(const QString& text) {
    QString out = text;
    out.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return '"' + out.toStdString() + '"';
  }

  // The page with a question in it, which its own policy would not let be asked.
  QJsonObject probed(QByteArray page) {
    static const QRegularExpression policy(QStringLiteral("<meta http-equiv[^>]*>\n"));
    QString text = QString::fromUtf8(page);
    text.remove(policy);
    text.replace(QStringLiteral("</body>"), QString::fromLatin1(kProbe) + QStringLiteral("</body>"));
    const Read dom = browse(put(folder_, text.toUtf8(), "probed.html"),
                            {QStringLiteral("--window-size=1312,900"), QStringLiteral("--dump-dom")});
    static const QRegularExpression result(QStringLiteral("<pre id=\"probe\">(.*)</pre>"));
    const QRegularExpressionMatch found = result.match(dom.out);
    [&] { QVERIFY2(dom.done && found.hasMatch(), dom.why + dom.out.right(300).toUtf8()); }();
    QString json = found.captured(1);
    json.replace(QStringLiteral("&lt;"), QStringLiteral("<")).replace(QStringLiteral("&gt;"), QStringLiteral(">"));
    json.replace(QStringLiteral("&nbsp;"), QStringLiteral("\u00a0"))
        .replace(QStringLiteral("&amp;"), QStringLiteral("&"));
    return QJsonDocument::fromJson(json.toUtf8()).object();
  }

  QTemporaryDir folder_;
};

LEASESCOPE_SUITE(HtmlReportTest)
#include "html_report_test.moc"
