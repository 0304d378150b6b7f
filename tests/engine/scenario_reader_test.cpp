// What a scenario may say, and how a wrong one is answered: file, line, column, what was expected.
#include "simulator/run/outcome.h"
#include "simulator/scenario/catalogue.h"
#include "simulator/scenario/reader.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

const char* kGood = R"(schema = 1
title = "t"
duration = "10s"
[mutex]
name = "m"
ttl = "5s"
transition = "2s"
)";

QString error_of(const std::string& toml, const std::vector<std::string>& sets = {}) {
  const auto scenario = read_scenario(toml, "my.toml", sets);
  return scenario ? QString() : QString::fromStdString(scenario.error().text());
}

}  // namespace

class ScenarioReaderTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsLeftOutHasItsDefault() {
    const auto scenario = read_scenario(kGood, "my.toml");
    QVERIFY(scenario.has_value());
    QCOMPARE(QString::fromStdString(scenario->name), QString("my"));
    QCOMPARE(scenario->contender_count(), 3);
    QCOMPARE(scenario->terms().jitter.min, Duration(-200ms));
    QVERIFY(scenario->fencing());
  }
  void contendersAreCalledAsTheirTableSays() {
    const std::string fleet = std::string(kGood) +
                              "[[contender]]\ncount = 3\nnames = [\"billing\", \"mailer\"]\n"
                              "[[contender]]\nnames = [\"audit\"]\n";
    const std::string fault = "[[fault]]\nat = \"1s\"\nkind = \"stop\"\ntarget = ";
    const auto scenario = read_scenario(fleet + fault + "\"mailer\"\n", "my.toml");
    QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().text().c_str());
    QCOMPARE(scenario->contender_names(), (std::vector<std::string>{"billing", "mailer", "c3", "audit"}));
    QCOMPARE(scenario->faults.front().target, std::string("mailer"));
    // The number they had before names nobody any more.
    QVERIFY(error_of(fleet + fault + "\"c2\"\n").contains("or a contender: billing, mailer, c3, audit"));
    const auto set = read_scenario(kGood, "my.toml", {"contender.0.names=[\"billing\"]"});
    QVERIFY2(set.has_value(), set ? "" : set.error().text().c_str());
    QCOMPARE(set->contender_names(), (std::vector<std::string>{"billing"}));
    QVERIFY(error_of(kGood, {"contender.0.names=billing"}).startsWith("--set contender.0.names=billing:"));
  }
  void wrongInputIsAnsweredWithItsPlace_data() {
    QTest::addColumn<QString>("toml");
    QTest::addColumn<QString>("begins");
    QTest::addColumn<QString>("contains");
    const QString good(kGood);
    QTest::newRow("unknown key") << good + "tttl = \"5s\"\n"
                                 << "my.toml:8:1:"
                                 << "mutex.tttl is not a key";
    QTest::newRow("unknown table") << good + "[mutx]\n"
                                   << "my.toml:8:"
                                   << "mutx is not a key";
    QTest::newRow("wrong unit") << QString(kGood).replace("5s", "5 sec") << "my.toml:6:7:"
                                << "\"5 sec\" is not a duration";
    QTest::newRow("negative ttl") << QString(kGood).replace("\"5s\"", "\"-5s\"") << "my.toml:6:7:"
                                  << "expected 1ms or more";
    QTest::newRow("number for a time") << QString(kGood).replace("\"5s\"", "5") << "my.toml:6:7:"
                                       << "in quotes with a unit";
    QTest::newRow("no ttl") << QString(kGood).replace("ttl = \"5s\"\n", "") << "my.toml:4:"
                            << "mutex.ttl is missing";
    QTest::newRow("blank mutex") << QString(kGood).replace("\"m\"", "\" \"") << "my.toml:5:8:"
                                 << "mutex must not be blank";
    QTest::newRow("not TOML") << QString("schema = \n") << "my.toml:1:"
                              << "";
    QTest::newRow("wrong schema") << QString(kGood).replace("schema = 1", "schema = 2") << "my.toml:1:10:"
                                  << "from 1 to 1";
    QTest::newRow("id with @@") << good + "[[contender]]\nname = \"a@@b\"\n"
                                << "my.toml:9:8:"
                                << "@@";
    QTest::newRow("id ending in @") << good + "[[contender]]\nname = \"a@\"\n"
                                    << "my.toml:9:8:"
                                    << "ends with";
    QTest::newRow("blank id") << good + "[[contender]]\nname = \"\"\n"
                              << "my.toml:9:8:"
                              << "contenderId must not be blank";
    QTest::newRow("long id") << good + "[[contender]]\nname = \"" + QString(129, 'x') + "\"\n"
                             << "my.toml:9:8:"
                             << "at most 128";
    QTest::newRow("two of a name") << good + "[[contender]]\nname = \"a\"\n[[contender]]\nname = \"a\"\n"
                                   << "my.toml:"
                                   << "two contenders";
    QTest::newRow("two of a name are told where the later stands")
        << good + "[[contender]]\nname = \"a\"\n[[contender]]\nname = \"a\"\n"
        << "my.toml:11:8:"
        << "two contenders are called \"a\"";
    const auto names = [&](const char* what, const char* list, const char* begins, const char* contains) {
      QTest::newRow(what) << good + "[[contender]]\ncount = 3\nnames = " + list + "\n" << begins << contains;
    };
    names("names are no list", "\"billing\"", "my.toml:10:9:", "contender.0.names is no list of names: expected some");
    names("no names", "[]", "my.toml:10:9:", "contender.0.names is no list of names: expected some");
    names("a name is no text", "[\"billing\", 7]", "my.toml:10:21:", "contender.0.names.1 is no name: expected a text");
    names("a blank name", "[\"billing\", \"\"]",
          "my.toml:10:21:", "contender.0.names.1: contenderId must not be blank");
    names("a name twice", "[\"billing\", \"billing\"]",
          "my.toml:10:21:", "contender.0.names.1 is \"billing\" once more: give each");
    names("more names than contenders", "[\"a\", \"b\", \"d\", \"e\"]", "my.toml:10:25:",
          "contender.0.names has 4 names for 3 contenders: expected at most as many names, or count = 4");
    names("a name that is a role", "[\"owner\"]", "my.toml:10:10:", "is a role: expected another name");
    names("a name that a number makes", "[\"c2\"]", "my.toml:10:9:", "two contenders are called \"c2\"");
    QTest::newRow("unknown fault") << good + "[[fault]]\nat = \"1s\"\nkind = \"gremlin\"\n"
                                   << "my.toml:10:8:"
                                   << "expected pause";
    QTest::newRow("unknown target") << good + "[[fault]]\nat = \"1s\"\nkind = \"stop\"\ntarget = \"c9\"\n"
                                    << "my.toml:11:10:"
                                    << "c1, c2, c3";
    QTest::newRow("fault without duration") << good + "[[fault]]\nat = \"1s\"\nkind = \"pause\"\n"
                                            << "my.toml:8:"
                                            << "duration is missing";
    QTest::newRow("key of another fault") << good + "[[fault]]\nat = \"1s\"\nkind = \"stop\"\nby = \"1s\"\n"
                                          << "my.toml:11:1:"
                                          << "fault.0.by is not a key";
    QTest::newRow("unknown field") << good + "[expect]\nwonders = 1\n"
                                   << "my.toml:9:"
                                   << "wonders is not a field of the summary: expected contenders, acquisitions, ";
    QTest::newRow("misspelled field") << good + "[expect]\n\"incidents.belief_overlaps\" = 1\n"
                                      << "my.toml:9:"
                                      << "(did you mean incidents.belief_overlap?)";
    QTest::newRow("wrong expectation") << good + "[expect]\nrenewals = \"many\"\n"
                                       << "my.toml:9:"
                                       << "says nothing about renewals";
    QTest::newRow("fault before the beginning") << good + "[[fault]]\nat = \"-1s\"\nkind = \"stop\"\n"
                                                << "my.toml:9:6:"
                                                << "expected 0s or more";
    QTest::newRow("endless duration") << QString(kGood).replace("\"10s\"", "\"0s\"") << "my.toml:3:12:"
                                      << "more than 0s";
    QTest::newRow("reversed jitter") << good + "jitter = [\"1s\", \"0s\"]\n"
                                     << "my.toml:"
                                     << "jitter's upper end";
    QTest::newRow("jitter before the lease") << good + "jitter = [\"-7001ms\", \"1s\"]\n"
                                             << "my.toml:"
                                             << "expected at least -7s: who wakes before the lease began";
    QTest::newRow("jitter that always is too early") << good + "jitter = [\"-3s\", \"-2500ms\"]\n"
                                                     << "my.toml:"
                                                     << "asks without a pause";
    QTest::newRow("jitter without end") << good + "jitter = [\"0s\", \"100000h\"]\n"
                                        << "my.toml:"
                                        << "expected ten years or less";
    QTest::newRow("lease within its margin")
        << QString(kGood).replace("\"5s\"", "\"1ms\"").replace("\"2s\"", "\"1ms\"") << "my.toml:6:7:"
        << "c stops owning it 2020us before its end";
    QTest::newRow("endless callback") << good + "[[contender]]\ncallback = \"100000h\"\n"
                                      << "my.toml:9:12:"
                                      << "expected ten years or less";
    QTest::newRow("sum that overflows") << QString(kGood).replace("\"10s\"", "\"9000000000s + 9000000000s\"")
                                        << "my.toml:3:12:"
                                        << "of ten years or a million leases at most";
    QTest::newRow("multiple that overflows")
        << QString(kGood).replace("\"10s\"", "\"9000000000 lease\"") << "my.toml:3:12:"
        << "a million leases at most";
    QTest::newRow("key of 20 000 dots") << good + QString("a.").repeated(20'000) + "b = 1\n"
                                        << "my.toml:8:"
                                        << "nested deeper than 64";
    QTest::newRow("list of 100 000 lists") << good + "a = " + QString("[").repeated(100'000) + "\n"
                                           << "my.toml:8:"
                                           << "nested deeper than 64";
    const QString fenced =
        "schema = 1\ntitle = \"t\"\nduration = \"10s\"\n[mutex]\nname = \"m\"\nttl = \"5s\"\nsystem = \"fenced\"\n";
    QTest::newRow("unknown system") << QString(fenced).replace("\"fenced\"", "\"fence\"") << "my.toml:7:10:"
                                    << "simba, fenced";
    QTest::newRow("a lease's key of another system") << fenced + "transition = \"2s\"\n"
                                                     << "my.toml:8:14:"
                                                     << "mutex.transition is no key of the system \"fenced\"";
    QTest::newRow("a lease's contender in another system") << fenced + "[[contender]]\nbehaviour = \"4.x\"\n"
                                                           << "my.toml:9:13:"
                                                           << "set mutex.system = \"simba\"";
    QTest::newRow("table of another system") << good + "[fenced]\nmemo = false\n"
                                             << "my.toml:8:"
                                             << "set mutex.system = \"fenced\"";
    QTest::newRow("key of no system") << fenced + "[fenced]\nlimit = 3\n"
                                      << "my.toml:9:1:"
                                      << "fenced.limit is not a key";
    QTest::newRow("plan of another system") << good + "[[contender]]\nhold = \"1s\"\n"
                                            << "my.toml:9:1:"
                                            << "contender.0.hold is not a key";
    QTest::newRow("model of another system") << fenced + "[store]\nmodel = \"redis\"\n"
                                             << "my.toml:9:9:"
                                             << "does not answer the system \"fenced\": expected cp";
    QTest::newRow("unknown model") << good + "[store]\nmodel = \"etcd\"\n"
                                   << "my.toml:9:9:"
                                   << "redis, sql";
    QTest::newRow("table of another model") << good + "[store]\nmodel = \"sql\"\n[store.redis]\nreplica = true\n"
                                            << "my.toml:10:"
                                            << "set store.model = \"redis\"";
    QTest::newRow("table of the other model") << good + "[store.sql]\npool = 3\n"
                                              << "my.toml:8:"
                                              << "set store.model = \"sql\"";
    QTest::newRow("key of another model") << good + "[store.redis]\npool = 3\n"
                                          << "my.toml:9:1:"
                                          << "store.redis.pool is not a key";
    QTest::newRow("unknown statement") << good + "[store]\nmodel = \"sql\"\n[store.sql]\nstatement = \"merge\"\n"
                                       << "my.toml:11:13:"
                                       << "for-update, update";
    QTest::newRow("unknown now") << good + "[store]\nmodel = \"sql\"\n[store.sql]\nnow = \"later\"\n"
                                 << "my.toml:11:7:"
                                 << "clock, transaction";
    QTest::newRow("pool of none") << good + "[store]\nmodel = \"sql\"\n[store.sql]\npool = 0\n"
                                  << "my.toml:11:8:"
                                  << "from 1 to 1000";
    QTest::newRow("clock slower than half") << good + "[[contender]]\nclock = { drift_ppm = -500001 }\n"
                                            << "my.toml:9:23:"
                                            << "drift_ppm is -500001: expected a whole number from -500000 to 500000";
    QTest::newRow("steady clock that stands") << good + "[[contender]]\nclock = { steady_ppm = -1000000 }\n"
                                              << "my.toml:9:24:"
                                              << "from -500000 to 500000";
    QTest::newRow("store's clock that is too fast") << good + "[store]\nclock = { drift_ppm = 500001 }\n"
                                                    << "my.toml:9:23:"
                                                    << "from -500000 to 500000";
    QTest::newRow("drift that is too slow")
        << good + "[[fault]]\nat = \"1s\"\nkind = \"clock_drift\"\nduration = \"1s\"\nppm = -500001\n"
        << "my.toml:12:7:"
        << "from -500000 to 500000";
    QTest::newRow("negative lag") << good + "[store.redis]\nreplication_lag = \"-1ms\"\n"
                                  << "my.toml:9:19:"
                                  << "expected 0s or more";
    QTest::newRow("fault of another model") << good + "[[fault]]\nat = \"1s\"\nkind = \"row_stall\"\n"
                                            << "my.toml:10:8:"
                                            << "a store of model redis cannot have: expected sql";
    QTest::newRow("failover without a replica") << good + "[[fault]]\nat = \"1s\"\nkind = \"store_failover\"\n"
                                                << "my.toml:10:8:"
                                                << "expected [store.redis] replica = true";
    QTest::newRow("cut of a store") << good +
                                           "[store.redis]\nreplica = true\n[[fault]]\nat = \"1s\"\n"
                                           "kind = \"replica_cut\"\nduration = \"1s\"\ntarget = \"store\"\n"
                                    << "my.toml:14:10:"
                                    << "replica_cut hits only \"replica\"";
    QTest::newRow("crash of a replica") << good +
                                               "[[fault]]\nat = \"1s\"\nkind = \"store_crash\"\n"
                                               "duration = \"1s\"\ntarget = \"replica\"\n"
                                        << "my.toml:12:10:"
                                        << "store_crash hits only \"store\"";
    // What is expected, and of what: each of these was taken for something else, or for nothing.
    for (const char* wrong : {"\"0.9\"", "nan", "-1", "0", "1.01", "inf", "true"})
      QTest::addRow("share of %s", wrong)
          << good + "[expect]\nhandoffs = { value = \">= 1\", share = " + wrong + " }\n"
          << "my.toml:9:"
          << "expect.handoffs.share: expected a share above 0 and at most 1, such as 0.9";
    QTest::newRow("key beside a share")
        << good + "[expect]\n\"incidents.belief_overlap\" = { value = 1, shere = 0.9 }\n"
        << "my.toml:9:"
        << "shere is not a key of a scenario (did you mean share?): expected value, share";
    QTest::newRow("unfenced that is no table") << good + "[expect]\nunfenced = 3\n"
                                               << "my.toml:9:12:"
                                               << "expect.unfenced is 3: expected a table";
    QTest::newRow("unfenced within unfenced") << good + "[expect.unfenced.unfenced]\nrenewals = 1\n"
                                              << "my.toml:9:"
                                              << "unfenced.renewals is not a field";
    for (const char* wrong : {"nan", "-0.1", "1.1", "\"0.1\"", "inf", "true"})
      QTest::addRow("loss of %s", wrong) << good + "[store]\nloss = " + wrong + "\n"
                                         << "my.toml:9:8:"
                                         << "store.loss: expected a share from 0 to 1, such as 0.01";
    const auto valid_for = [&](const char* name, const QString& line, const char* contains) {
      QTest::newRow(name) << good + "[expect.valid_for]\n" + line + "\n"
                          << "my.toml:9:" << contains;
    };
    valid_for("reversed times", "\"mutex.ttl\" = [\"30s\", \"1s\"]",
              "expect.valid_for.mutex.ttl goes from 30s to 1s: expected the lower end first");
    valid_for("reversed measures", "\"duration\" = [\"1 lease\", \"6s\"]",
              "expect.valid_for.duration goes from 1 lease to 6s: expected the lower end first");
    valid_for("reversed numbers", "\"contender.0.count\" = [9, 2]",
              "expect.valid_for.contender.0.count goes from 9 to 2: expected the lower end first");
    valid_for("behaviour of nobody", "\"contender.0.behaviour\" = [\"4.x\", \"4x\"]",
              "expect.valid_for.contender.0.behaviour: \"4x\"");
    valid_for("contender that is not there", "\"contender.9.count\" = [1, 2]",
              "expect.valid_for.contender.9.count: there is no contender.9: expected contender.0");
    valid_for("behaviour of one that is not there", "\"contender.1.behaviour\" = [\"4.x\"]",
              "there is no contender.1: expected contender.0");
    QTest::newRow("not a distribution") << good + "[store]\nlatency = { mean = \"1s\" }\n"
                                        << "my.toml:"
                                        << "median";
  }
  void wrongInputIsAnsweredWithItsPlace() {
    QFETCH(QString, toml);
    QFETCH(QString, begins);
    QFETCH(QString, contains);
    const QString error = error_of(toml.toStdString());
    QVERIFY2(error.startsWith(begins), qPrintable(error));
    QVERIFY2(error.contains(contains), qPrintable(error));
  }
  void aSetIsRejectedForWhatTheFileWouldBe() {
    QVERIFY(error_of(kGood, {"mutex.ttl=-1s"}).startsWith("--set mutex.ttl=-1s: "));
    QVERIFY(error_of(kGood, {"mutex.tll=1s"}).contains("mutex.tll is not a key"));
    QVERIFY(error_of(kGood, {"nonsense"}).contains("expected KEY=VALUE"));
    QVERIFY(error_of(kGood, {"fault.3.at=1s"}).contains("there is no fault.3"));
    QVERIFY(error_of(kGood, {"contender.0.name=x@"}).contains("ends with"));
  }
  // Its ends change places under another ttl: of that the verdict tells, and the file is not wrong.
  void aRangeInLeasesIsNotRefusedForATtlThatIsSet() {
    const std::string file = std::string(kGood) + "[expect]\nvalid_for = { duration = [\"2 lease\", \"20s\"] }\n";
    QCOMPARE(error_of(file), QString());
    QCOMPARE(error_of(file, {"mutex.ttl=1m"}), QString());
    QCOMPARE(error_of(file, {"mutex.transition=1m"}), QString());
  }
  void aSetOfTwentyThousandDotsIsRefused() {
    std::string dots;
    for (int i = 0; i < 20'000; ++i) dots += "a.";
    const QString deep = error_of(kGood, {dots + "b=1"});
    QVERIFY2(deep.contains("nested deeper than 64") && deep.size() < 1000, qPrintable(deep.left(2000)));
    QVERIFY(error_of(kGood, {"mutex.ttl=" + std::string(20'000, '[')}).contains("nested deeper than 64"));
  }
  void whatIsInQuotesOrACommentIsNotNested() {
    const std::string dots(200, '.'), lists(200, '[');
    QVERIFY(error_of(std::string(kGood) + "# " + dots + lists + "\n").isEmpty());
    QString quoted(kGood);
    quoted.replace("\"t\"", QString("\"\"\"%1\n%2\\\"\"\"\"").arg(dots.c_str(), lists.c_str()));
    QVERIFY2(error_of(quoted.toStdString()).isEmpty(), qPrintable(error_of(quoted.toStdString())));
  }
  void whatIsNoRegularFileIsNotRead() {  // /dev/zero took 4 GB
    for (const char* path : {"/dev/zero", "/dev/full", "/tmp"}) {
      const auto read = read_scenario_file(path);
      QVERIFY(!read && QString::fromStdString(read.error().text()).contains("expected a scenario's name"));
    }
  }
  void aSetReachesTheTablesOfAModel() {
    const auto redis = read_scenario(kGood, "my.toml", {"store.redis.replica=true", "store.redis.replication_lag=3s"});
    QVERIFY(redis);
    QVERIFY(redis->store.redis().replica);
    QCOMPARE(redis->store.redis().replication_lag, 3s);
    const auto sql =
        read_scenario(kGood, "my.toml", {"store.model=sql", "store.sql.statement=update", "store.sql.pool=3"});
    QVERIFY(sql);
    QCOMPARE(sql->store.sql().statement, SqlTerms::Statement::kUpdate);
    QCOMPARE(sql->store.sql().pool, 3);
    QVERIFY(error_of(kGood, {"store.sql.pool=3"}).contains("set store.model = \"sql\""));
  }
  void aSetReachesListsByIndexAndByTheirFirst() {
    const auto scenario =
        read_scenario(kGood, "my.toml", {"contender.0.count=5", "resource.fencing=false", "mutex.name=x"});
    QVERIFY(scenario.has_value());
    QCOMPARE(scenario->contender_count(), 5);
    QVERIFY(!scenario->fencing());
    QVERIFY(scenario->mutex.named);
  }
  void timesInLeasesFollowTheTtl() {
    const auto time = parse_time_expression("1.7 lease + 2s");
    QVERIFY(time.has_value());
    QCOMPARE(time->under(LeaseTerms{5s, 2s, {}}), Duration(13900ms));
    QCOMPARE(time->under(LeaseTerms{1s, 500ms, {}}), Duration(4550ms));
    for (const char* wrong : {"", "1.7 leases of life", "lease", "1 lease +", "+ 2s", "1,5 lease"})
      QVERIFY2(!parse_time_expression(wrong), wrong);
  }
  void anUnknownScenarioNamesTheKnownOnes() {
    const auto scenario = find_scenario("gc-paws");
    QVERIFY(!scenario.has_value());
    QVERIFY(QString::fromStdString(scenario.error().text()).contains("gc-pause"));
  }
  void everyBuiltInIsReadWithoutComplaint() {
    for (const BuiltIn& built_in : built_in_scenarios()) {
      const auto scenario = read_scenario(built_in.toml, built_in.name);
      QVERIFY2(scenario.has_value(), scenario ? "" : scenario.error().text().c_str());
      QVERIFY(!scenario->title.empty() && !scenario->expected.empty());
    }
  }
  void expectationsCompareCountsTimesAndTruths() {
    Summary summary;
    summary.acquisitions = 3;
    summary.leaderless = 2s;
    const LeaseTerms terms{5s, 2s, {}};
    const auto says = [&](const char* field, const char* text) {
      return holds(*parse_expectation(field, text), terms, summary);
    };
    QVERIFY(says("acquisitions", "3") && says("acquisitions", ">= 3") && says("acquisitions", "true"));
    QVERIFY(!says("acquisitions", "2") && !says("acquisitions", "<= 2") && !says("renewals", "true"));
    QVERIFY(says("leaderless_seconds", "<= 1 transition") && !says("leaderless_seconds", "<= 1.9s"));
    QVERIFY(!parse_expectation("acquisitions", ">= many"));
  }
  void aFaultThatNeverFoundItsTargetIsNotAsExpected() {
    const auto scenario = read_scenario(
        std::string(kGood) + "[[contender]]\n[[fault]]\nat = \"20s\"\nkind = \"stop\"\n[expect]\ndouble_grants = 0\n",
        "my.toml");
    QVERIFY(scenario.has_value());
    Outcome outcome;
    judge(outcome, *scenario, {"stop of owner at 20s never found its target"});
    QCOMPARE(outcome.as_expected, std::optional<bool>(false));
    QCOMPARE(outcome.reasons.size(), std::size_t{1});
  }
};

LEASESCOPE_SUITE(ScenarioReaderTest)
#include "scenario_reader_test.moc"
