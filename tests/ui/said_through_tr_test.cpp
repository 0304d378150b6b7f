// What people read goes through tr: the sources of the window say no sentence outside it, and where another language is
// spoken the models speak it.
#include <set>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTranslator>

#include "simulator/run/virtual_run.h"
#include "simulator/scenario/catalogue.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "ui/models/contenders_model.h"
#include "ui/models/events_model.h"
#include "ui/models/incidents_model.h"
#include "ui/models/story.h"
#include "ui/models/words.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

struct Exception {
  const char* text;
  const char* why;
};
constexpr Exception kNoWords[] = {
    {"Left Right", "keys, each a cap of its own in the sheet of keys"},
    {"Left Right Enter", "keys"},
    {"Ins Del", "keys"},
    {"Up Down", "keys"},
    {"Up Down Left Right", "keys"},
    {"DejaVu Sans", "the name of a font"},
    {"JetBrains Mono", "the name of a font"},
    {"DejaVu Sans Mono", "the name of a font"},
    {"d MMM yyyy", "a form of dates"},
    {"yyyy-MM-dd hh:mm:ss", "a form of dates"},
    {"password authentication failed", "what PostgreSQL says, and is known by"},
    {"Leasescope %1", "a name and a version"},
};

// A word beside another, or beside what is put in; neither a style sheet nor what stands within a tag.
bool isSaid(QString text) {
  static const QRegularExpression style(R"re([\w\s.,#-]*\{[^}]*:[^}]*\})re");
  static const QRegularExpression tag(R"re(<[^>]*(?:>|$)|&\w+;|\\n)re");
  static const QRegularExpression words(R"re([A-Za-z]{2,}[,;:.]* +(?:[A-Za-z]{2,}|%\d)|%\d[,;:.]* +[A-Za-z]{2,})re");
  return text.replace(style, " ").replace(tag, " ").contains(words);
}

struct Literal {
  int line = 0;
  QString text;
};

// Literals that become a text as they are, with what is said in them; parts beside each other are one. Quotation marks
// are written by their number in these patterns, as moc reads no further than a raw string with some of them.
std::vector<Literal> saidOutsideTr(const QString& source) {
  static const QRegularExpression call(
      R"re(\b(?:QStringLiteral|QLatin1String|QLatin1StringView|QString|fromUtf8|fromLatin1)\(\s*((?:\x22(?:[^\x22\\\n]++|\\.)*+\x22\s*)+))re");
  static const QRegularExpression part(R"re(\x22((?:[^\x22\\\n]++|\\.)*+)\x22)re");
  std::vector<Literal> out;
  for (auto found = call.globalMatch(source); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    QString text;
    for (auto parts = part.globalMatch(match.captured(1)); parts.hasNext();) text += parts.next().captured(1);
    if (isSaid(text))
      out.push_back({static_cast<int>(source.left(match.capturedStart()).count(u'\n')) + 1, std::move(text)});
  }
  return out;
}

// A text of one beside another of several, where %n says both.
std::vector<int> oneByHand(const QString& source) {
  static const QRegularExpression one(R"re(\btr\(\s*\x221 )re");
  std::vector<int> out;
  for (auto found = one.globalMatch(source); found.hasNext();)
    out.push_back(static_cast<int>(source.left(found.next().capturedStart()).count(u'\n')) + 1);
  return out;
}

void eachSource(const std::function<void(const QString& path, const QString& source)>& look) {
  const QDir root(QString::fromUtf8(kSourceFolder));
  QDirIterator files(root.filePath("ui"), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
  int count = 0;
  while (files.hasNext()) {
    QFile file(files.next());
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    look(root.relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll()));
    ++count;
  }
  QVERIFY(count > 100);
}

// A language in which everything is said as in English, between ‹ and ›.
class Marked : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char* /*context*/, const char* text, const char* /*note*/, int /*count*/) const override {
    return u'‹' + QString::fromUtf8(text) + u'›';
  }
};

bool isMarked(const QVariant& text) { return text.toString().contains(u'‹') && text.toString().contains(u'›'); }

}  // namespace

class SaidThroughTrTest : public QObject {
  Q_OBJECT
 private slots:
  void noSentenceStandsOutsideTr() {
    std::set<QString> met;
    QStringList outside;
    eachSource([&](const QString& path, const QString& source) {
      for (const Literal& each : saidOutsideTr(source)) {
        const bool known = std::any_of(std::begin(kNoWords), std::end(kNoWords),
                                       [&](const Exception& of) { return each.text == QString::fromUtf8(of.text); });
        if (known)
          met.insert(each.text);
        else
          outside << QString("%1:%2: \"%3\"").arg(path).arg(each.line).arg(each.text);
      }
    });
    QVERIFY2(outside.isEmpty(), qPrintable("say it through tr:\n" + outside.join(u'\n')));
    for (const Exception& of : kNoWords)
      QVERIFY2(met.count(QString::fromUtf8(of.text)) == 1,
               qPrintable(QString("nobody writes \"%1\" (%2) any more").arg(of.text, of.why)));
  }

  void whatIsCountedIsLeftToTheLanguage() {
    QStringList byHand;
    eachSource([&](const QString& path, const QString& source) {
      for (const int line : oneByHand(source)) byHand << QString("%1:%2").arg(path).arg(line);
    });
    QVERIFY2(byHand.isEmpty(), qPrintable("count with %n and (s):\n" + byHand.join(u'\n')));
  }

  void wordsAreToldFromWhatIsNone_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* source, const QStringList& said = {}) { QTest::newRow(source) << source << said; };
    row(R"(text(QStringLiteral("the store says"));)", {"the store says"});
    row(R"(text(QStringLiteral("%1 permits").arg(n));)", {"%1 permits"});
    row(R"(text(QStringLiteral("fence %1").arg(n));)", {"fence %1"});
    row("text(QStringLiteral(\n    \"The store answered \"\n    \"all the time.\"));",
        {"The store answered all the time."});
    row(R"(text(QString::fromLatin1("not seen"));)", {"not seen"});
    row(R"(text(QStringLiteral("<p>No incident.</p>\n"));)", {"<p>No incident.</p>\\n"});
    row(R"(text(tr("the store says"));)");
    row(R"(text(Say::tr("%1 permits").arg(n));)");
    row(R"(setObjectName(QStringLiteral("storeForm"));)");
    row(R"(text(QStringLiteral("%1 – %2 s").arg(a, b));)");
    // Nor does it with one behind a backslash.
    row("text(QStringLiteral(\"<td style=\\\"padding:0 0 3px 14px;color:%2\\\">%3</td>\"));");
    row(R"(css(QStringLiteral("body{color:%1} td.n,.value{font-family:'%3'}"));)");
  }
  void wordsAreToldFromWhatIsNone() {
    QFETCH(QString, source);
    QStringList said;
    for (const Literal& each : saidOutsideTr(source)) said << each.text;
    QTEST(said, "said");
  }

  void aCountByHandIsSeen() {
    QCOMPARE(oneByHand("a;\nn == 1 ? tr(\"1 store\") : tr(\"%1 stores\")"), std::vector<int>{2});
    QCOMPARE(oneByHand("tr(\"%n store(s)\", nullptr, n)"), std::vector<int>{});
  }

  // Sentences, states, accounts of incidents and the heads of tables, where they are not the core's own.
  void anotherLanguageIsSpoken() {
    (void)writePlate(WriteFate::kStale, 1, 2, 1);  // what is painted is translated once, for all suites that follow
    Marked marked;
    QVERIFY(QCoreApplication::installTranslator(&marked));
    const auto scenario = find_scenario("gc-pause", {"resource.fencing=true"});
    QVERIFY(scenario);
    VirtualRun run(*scenario);
    run.advance(TrueTime::max());
    const History& history = run.history();
    Cast cast;
    cast.reset(scenario->contender_names());
    cast.sync(history);

    int sentences = 0;
    for (const Event& event : history.events) {
      if (event.kind == EventKind::kFaultBegan || event.kind == EventKind::kFaultEnded) continue;  // the fault's own
      const QString said = sentence(history, cast, event);
      QVERIFY2(isMarked(said), qPrintable(said));
      ++sentences;
    }
    QVERIFY(sentences > 100);
    QVERIFY(!history.incidents.empty());
    const QString account = accountOf(history, cast, history.incidents.front());
    QVERIFY2(isMarked(account), qPrintable(account));

    ContendersModel contenders;
    contenders.setHistory(&history, &cast);
    const QVariant state = contenders.index(0, ContendersModel::kState).data();
    QVERIFY2(isMarked(state), qPrintable(state.toString()));
    EventsModel events;
    IncidentsModel incidents;
    for (const QAbstractItemModel* model :
         {static_cast<QAbstractItemModel*>(&contenders), static_cast<QAbstractItemModel*>(&events),
          static_cast<QAbstractItemModel*>(&incidents)}) {
      const QVariant head = model->headerData(model->columnCount() - 1, Qt::Horizontal, Qt::DisplayRole);
      QVERIFY2(isMarked(head), qPrintable(head.toString()));
    }
  }
};

LEASESCOPE_SUITE(SaidThroughTrTest)
#include "said_through_tr_test.moc"
