// Files of rules: what is read, and what is said where they are wrong, with its place.
#include "core/alerts/alert_kinds.h"
#include "simulator/alerts/alert_rules_file.h"
#include "simulator/alerts/alert_rules_text.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTest>

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

class AlertRulesTest : public QObject {
  Q_OBJECT
 private slots:
  void everyKindIsRead() {
    const auto rules = read_alert_rules(R"(schema = 1
[[rule]]
name = "orders has no owner"
kind = "no_owner"
mutex = "orders-*"
for = "12s"
[[rule]]
name = "it flaps"
kind = "handoffs"
more_than = 5
within = "1h"
[[rule]]
name = "late"
kind = "late_renewal"
left = "3s"
[[rule]]
name = "unsafe"
kind = "fence_regression"
[[rule]]
name = "blind"
kind = "not_observed"
for = "30s"
[[rule]]
name = "two at once"
kind = "two_believe"
for = "100ms"
[[rule]]
name = "nothing moves"
kind = "waiters_stuck"
for = "10m"
[[rule]]
name = "it will run out"
kind = "not_renewed"
left = "3s"
[[rule]]
name = "away"
kind = "store_away"
store = "redis://*"
for = "10s"
)",
                                        "rules.toml");
    QVERIFY2(rules, rules ? "" : rules.error().text().c_str());
    QCOMPARE(rules->size(), alert_kinds().size());
    QCOMPARE((*rules)[0].mutex, std::string("orders-*"));
    QVERIFY((*rules)[0].length == 12s);
    QCOMPARE((*rules)[1].count, std::int64_t{5});
    QVERIFY((*rules)[1].length == 1h);
    QCOMPARE((*rules)[1].mutex, std::string("*"));
    QCOMPARE(rules->back().store, std::string("redis://*"));
    for (std::size_t i = 0; i < rules->size(); ++i) QCOMPARE((*rules)[i].kind, alert_kinds()[i]);
  }

  // What a message sends its reader to.
  void theExampleIsRightAndEachKindIsSaid() {
    QFile file(QString(kSourceFolder) + QStringLiteral("/core/alerts/README.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray readme = file.readAll();
    const qsizetype begin = readme.indexOf("```toml\n") + 8, end = readme.indexOf("```", begin);
    const auto rules = read_alert_rules(readme.mid(begin, end - begin).toStdString(), "README.md");
    QVERIFY2(rules, rules ? "" : rules.error().text().c_str());
    QVERIFY(rules->size() > 1);
    for (const AlertKind* kind : alert_kinds())
      QVERIFY2(readme.contains("\n| `" + QByteArray(kind->word.data(), qsizetype(kind->word.size())) + "` | "),
               kind->word.data());
  }
  void aLengthMayBeInTheMeasuresOfALease() {
    const auto read = [](const std::string& of) {
      auto rules = read_alert_rules("schema = 1\n[[rule]]\nname = \"a\"\n" + of, "rules.toml");
      if (!rules) qFatal("%s", rules.error().text().c_str());
      return rules->front();
    };
    const AlertRule nobody = read("kind = \"no_owner\"\nfor = \"2 transition\"\ntransition = \"6s\"\n");
    QVERIFY(nobody.length == 12s && nobody.leases == 0 && nobody.written == "2 transition");
    const AlertRule late = read("kind = \"late_renewal\"\nleft = \"0.5 transition + 1s\"\ntransition = \"6s\"\n");
    QVERIFY(late.length == 4s && late.length_of(10s) == 4s);
    const AlertRule share = read("kind = \"not_renewed\"\nleft = \"0.25 lease\"\n");
    QVERIFY(share.length_of(10s) == 2500ms && share.length_of(20s) == 5s && share.written == "0.25 lease");
    const AlertRule plain = read("kind = \"no_owner\"\nfor = \"12s\"\n");
    QVERIFY(plain.length == 12s && plain.written.empty());
  }

  void whatIsWrongIsSaidWithItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const char* text, const char* said) {
      QTest::newRow(name) << QByteArray(text) << QString(said);
    };
    row("no TOML", "schema = 1\n[[rule\n", "rules.toml:2:");
    row("no text at all", "\x01\xfe\x7f\xff", "rules.toml:1:1: ");
    row("what is to be done", "\x01\xfe\x7f\xff",
        ": expected rules of alerts as TOML: schema = 1, then a table [[rule]] for each, as in the example of core/");
    row("brackets without end", std::string(100, '[').c_str(), "nested deeper than 64: expected rules of alerts");
    row("nothing in it", "schema = 1\n", "expected at least one table [[rule]]");
    row("another schema", "schema = 2\n", "rules.toml:1:");
    row("a kind with a typo", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_ownr\"\nfor = \"1s\"\n",
        "rules.toml:4:8: rule.0.kind is \"no_ownr\"");
    row("a kind without its length", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\n", "rule.0.for");
    row("no length of time", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"soon\"\n",
        "rules.toml:5:");
    row("a key of another kind",
        "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"1s\"\nleft = \"2s\"\n", "rules.toml:6:");
    row("a name twice",
        "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"fence_regression\"\n[[rule]]\nname = \"a\"\nkind = "
        "\"fence_regression\"\n",
        "there is a rule \"a\" already");
    row("no name", "schema = 1\n[[rule]]\nkind = \"fence_regression\"\n", "rule.0.name");
    row("transitions of nobody knows what",
        "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"2 transition\"\n",
        "rules.toml:5:7: rule.0.for is \"2 transition\": expected transition = \"6s\" beside it");
    row("a lease where there is none", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"1 lease\"\n",
        "this kind is about no lease");
    row("a ttl", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"late_renewal\"\nleft = \"1 ttl\"\n",
        "rule.0.left is \"1 ttl\"");
    row("no time at all", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"0s\"\n",
        "rule.0.for is \"0s\": expected 1ns or more");
    row("too long a time",
        "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"no_owner\"\nfor = \"100 transition\"\ntransition = "
        "\"87600h\"\n",
        "ten years at most");
    row("a mutex where it is about stores",
        "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"store_away\"\nmutex = \"orders\"\nfor = \"1s\"\n",
        "rules.toml:5:1: rule.0.mutex is not a key of a rule");
    row("no store's name", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"store_away\"\nstore = \"\"\nfor = \"1s\"\n",
        "expected the address of a store");
    row("no count", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"handoffs\"\nwithin = \"1h\"\n", "rule.0.more_than");
    row("less than none", "schema = 1\n[[rule]]\nname = \"a\"\nkind = \"handoffs\"\nwithin = \"1h\"\nmore_than = -1\n",
        "rules.toml:6:");
  }
  void whatIsWrongIsSaidWithItsPlace() {
    QFETCH(const QByteArray, text);
    QFETCH(const QString, said);
    const auto rules = read_alert_rules(text.toStdString(), "rules.toml");
    QVERIFY(!rules);
    QVERIFY2(rules.error().text().find(said.toStdString()) != std::string::npos, rules.error().text().c_str());
  }
  void aFileThatIsNotThereIsNamed() {
    const auto rules = read_alert_rules_file("/no/such/rules.toml");
    QVERIFY(!rules);
    QVERIFY(rules.error().rfind("/no/such/rules.toml: ", 0) == 0);
  }
  // As a recording keeps them: whoever reads them has the same rules again.
  void theirTextIsReadBackToEqualOnes() {
    std::vector<AlertRule> rules;
    for (const AlertKind* kind : alert_kinds()) {
      AlertRule rule;
      rule.name = std::string("\"") + std::string(kind->word) + "\\ \xc3\xa9";
      rule.kind = kind;
      (kind->of_stores ? rule.store : rule.mutex) = "or\"ders-*";
      if (!kind->length.empty()) rule.length = 1'500'000'001ns;
      if (kind->counts) rule.count = 7;
      rules.push_back(rule);
    }
    const auto read = read_alert_rules(alert_rules_text(rules), "rules.toml");
    QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
    QVERIFY(*read == rules);
    QCOMPARE(alert_rules_text({}), std::string());
  }
  void lengthsInMeasuresOfALeaseAreReadBackToo() {
    const auto rules = read_alert_rules(R"(schema = 1
[[rule]]
name = "a"
kind = "no_owner"
for = "2 transition + 1s"
transition = "6s"
[[rule]]
name = "b"
kind = "late_renewal"
left = "0.25 lease"
[[rule]]
name = "c"
kind = "store_away"
for = "10s"
)",
                                        "rules.toml");
    QVERIFY2(rules.has_value(), rules ? "" : rules.error().text().c_str());
    QCOMPARE(rules->front().length, Duration(13s));
    const auto again = read_alert_rules(alert_rules_text(*rules), "rules.toml");
    QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
    QVERIFY(*again == *rules);
  }
};

LEASESCOPE_SUITE(AlertRulesTest)
#include "alert_rules_test.moc"
