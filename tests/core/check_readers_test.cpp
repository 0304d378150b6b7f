// Histories of calls as files: what is read, what is written, and what is said of what is neither.
#include "core/check/call_reader.h"
#include "core/check/call_writer.h"
#include "core/check/check.h"
#include "core/check/run_calls.h"
#include "tests/support/lock_history.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::check;

class CheckReadersTest : public QObject {
  Q_OBJECT
 private slots:
  void aCallIsOneLineOrTwo();
  void knossosHistoriesAreRead();
  void whatJepsenWritesBesideIsPassedOver();
  void aVectorOfMapsIsAHistoryToo();
  void anArrayOfObjectsIsAHistoryToo();
  void aMarkOfItsEncodingIsPassedOver();
  void withoutTimesTheOrderOfTheLinesCounts();
  void whoseEndIsUnknownMayTakeEffectLater();
  void valuesOfEdnAreRead();
  void whatIsWrittenReadsBack();
  void knossosGetsANewProcessAfterAnUnknownEnd();
  void callsOfOneProcessAtOnceAreWrittenAsOfSeveral();
  void theOrderWithinANanosecondIsWrittenToo();
  void whatHadNoTimesIsWrittenWithoutThem();
  void annotationsStayAsTheyWere();
  void aRunsHistoryTellsOfItsCalls();
  void whatWasTakenFromAnApplicationEnds_data();
  void whatWasTakenFromAnApplicationEnds();
  void anAttemptThatNobodyHeardOfEndsNothing();
  void aLeaseOfAllTimeEndsAtNoTime();
  void aRunsHistoryTellsOfItsGrants();
  void errorsNameLineAndColumn_data();
  void errorsNameLineAndColumn();
  void noTextBreaksTheReader();
};

namespace {

std::string error_of(std::string_view text) {
  const auto read = read_calls(text, false);
  if (read) return "none";
  return fmt::format("{}:{}: {}", read.error().place.line, read.error().place.column, read.error().what);
}

// The same in all that a model sees, but who is first of what happens in the same nanosecond.
bool same(const Calls& a, const Calls& b) {
  if (a.calls.size() != b.calls.size()) return false;
  for (std::size_t i = 0; i < a.calls.size(); ++i) {
    const Call &x = a.calls[i], &y = b.calls[i];
    if (a.text(x.client) != b.text(y.client) || a.text(x.mutex) != b.text(y.mutex) || takes(x.f) != takes(y.f) ||
        frees(x.f) != frees(y.f) || x.ending != y.ending || x.permits != y.permits || x.ttl != y.ttl ||
        x.deadline != y.deadline || x.called.ns != y.called.ns || x.returned.ns != y.returned.ns ||
        x.fence != y.fence || a.text(x.uid) != b.text(y.uid))
      return false;
  }
  return true;
}

}  // namespace

void CheckReadersTest::aCallIsOneLineOrTwo() {
  const auto calls = read_calls(
      R"({"process":"c1","type":"ok","f":"lock","mutex":"orders","fence":5,"uid":"u","t_call":10,"t_return":"20ns","clock":7}
{"process":2,"type":"invoke","f":"acquire","mutex":"orders","permits":3,"t_call":30}
{"process":2,"type":"ok","f":"acquire","t_return":40}
)",
      false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  QCOMPARE(calls->calls.size(), std::size_t{2});
  const Call& one = calls->calls[0];
  QVERIFY(calls->text(one.client) == "c1" && calls->text(one.mutex) == "orders" && calls->text(one.uid) == "u");
  QVERIFY(one.fence == 5 && one.called.ns == 10 && one.returned.ns == 20 && one.clock == 7);
  const Call& two = calls->calls[1];
  QVERIFY(calls->text(two.client) == "2" && two.permits == 3 && two.called.ns == 30 && two.returned.ns == 40);
  QVERIFY(two.ending == Ending::kOk && two.f == Operation::kAcquire && calls->timed);
}

void CheckReadersTest::knossosHistoriesAreRead() {
  const auto calls = read_calls(R"(; of a run with Jepsen
{:process 0, :type :invoke, :f :acquire, :value nil, :time 1, :index 0}
{:process :nemesis, :type :info, :f :start, :value "partition n1", :time 2}
{:process 1, :type :invoke, :f :acquire, :value {:client "n2" :uid "b"}, :time 3}
{:process 0, :type :ok, :f :acquire, :value {:client "n1", :uid "a", :fence 7}, :time 4}
{:process 1, :type :fail, :f :acquire, :error :timeout, :value ["orders" nil], :time 5}
)",
                                false);
  QVERIFY(!calls.has_value());  // the last line speaks of another lock than its beginning
  QCOMPARE(calls.error().place.line, std::size_t{6});
  const auto good = read_calls(R"({:process 0, :type :invoke, :f :acquire, :value ["orders" {:client "n1"}], :time 1}
{:process :nemesis, :type :info, :f :start, :value "partition n1", :time 2}
#_{:process 9} {:process 0 :type :ok :f :acquire :value ["orders" {:fence 7N}] :time 4}
{:process 0, :type :invoke, :f :release, :value ["orders" nil], :time 5}
{:process 0, :type :info, :f :release, :value ["orders" nil], :time 6}
)",
                               false);
  QVERIFY2(good.has_value(), good ? "" : good.error().what.c_str());
  QCOMPARE(good->calls.size(), std::size_t{2});
  QVERIFY(good->calls[0].fence == 7 && good->text(good->calls[0].client) == "n1");
  QVERIFY(good->calls[1].ending == Ending::kUnknown && good->calls[1].returned == kNever);
  QCOMPARE(good->annotations.size(), std::size_t{1});
  QCOMPARE(good->annotations[0].what, std::string("start partition n1"));
}

// As the tests of Hazelcast's locks leave it: a call's value is its number, until it has ended.
void CheckReadersTest::whatJepsenWritesBesideIsPassedOver() {
  const auto calls = read_calls(R"({:process 0, :type :invoke, :f :acquire, :value "u-1", :time 1, :index 0, :node "n1"}
{:process 0, :type :ok, :f :acquire, :value {:client "hz.1", :fence 7, :uid "u-1", :took 3}, :time 2, :index 1}
{:process 1, :type :invoke, :f :acquire, :value "u-2", :time 3, :index 2, :final? true}
{:process 1, :type :fail, :f :acquire, :value "u-2", :time 4, :debug {:client "hz.2" :uid "u-2"}, :index 3}
{:process 2, :type :invoke, :f :release, :value nil, :time 5}
{:process 2, :type :info, :f :release, :value :timed-out, :time 6, :error [:io "no route"],
 :exception {:via [{:type java.io.IOException, :message "no route" :at [a.b$c invoke "B.java" 7]}], :trace []}}
{:process 3, :type :invoke, :f :release, :value nil, :time 7}
{:process 3, :type :fail, :f :release, :value 3, :time 8, :error :not-lock-owner})",
                                false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  QCOMPARE(calls->calls.size(), std::size_t{4});
  QVERIFY(calls->calls[0].fence == 7 && calls->text(calls->calls[0].client) == "hz.1");
  QVERIFY(calls->text(calls->calls[0].uid) == "u-1" && calls->text(calls->calls[1].uid) == "u-2");
  QVERIFY(calls->calls[2].ending == Ending::kUnknown && calls->calls[3].ending == Ending::kFailed);
}

void CheckReadersTest::aVectorOfMapsIsAHistoryToo() {
  const auto calls = read_calls("[{:process 0 :type :invoke :f :acquire} {:process 0 :type :ok :f :acquire}]", false);
  QVERIFY(calls.has_value());
  QCOMPARE(calls->calls.size(), std::size_t{1});
}

void CheckReadersTest::anArrayOfObjectsIsAHistoryToo() {
  const auto calls = read_calls(
      "[ {\"process\":1,\"type\":\"ok\",\"f\":\"lock\",\"t_call\":1,\"t_return\":2},\n"
      "{\"process\":1,\"type\":\"ok\",\"f\":\"unlock\",\"t_call\":3,\"t_return\":4}]\n",
      false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  QCOMPARE(calls->calls.size(), std::size_t{2});
  QCOMPARE(error_of("[{\"process\":1,\"typ\":2}]"), std::string("1:2: expected \"type\": invoke, ok, fail or info"));
}

void CheckReadersTest::aMarkOfItsEncodingIsPassedOver() {
  const std::string mark = "\xEF\xBB\xBF";
  const auto json = read_calls(mark + R"({"process":1,"type":"ok","f":"lock","t_call":1,"t_return":2})", false);
  QVERIFY2(json.has_value() && json->calls.size() == 1, json ? "" : json.error().what.c_str());
  const auto edn = read_calls(mark + "{:process 1 :type :invoke :f :lock}", false);
  QVERIFY2(edn.has_value() && edn->calls.size() == 1, edn ? "" : edn.error().what.c_str());
  QCOMPARE(error_of(mark + "42"), std::string("1:1: expected a map of a call, not 42"));
  for (const std::string& other : {std::string("\xFF\xFE{\0", 4), std::string("\xFE\xFF\0{", 4)})
    QCOMPARE(error_of(other), std::string("1:1: expected UTF-8, and the file is UTF-16: save it as UTF-8"));
}

void CheckReadersTest::withoutTimesTheOrderOfTheLinesCounts() {
  const auto calls = read_calls(R"({:process 0 :type :invoke :f :acquire}
{:process 0 :type :ok :f :acquire}
{:process 1 :type :invoke :f :acquire}
{:process 1 :type :ok :f :acquire})",
                                false);
  QVERIFY(calls.has_value() && !calls->timed);
  const Judgement judged = judge({ModelKind::kMutex}, *calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks[0].offence.size(), std::size_t{2});
}

void CheckReadersTest::whoseEndIsUnknownMayTakeEffectLater() {
  const auto calls = read_calls(R"({"process":0,"type":"invoke","f":"lock","t_call":1}
{"process":1,"type":"info","f":"lock","t_call":2,"t_return":3})",
                                false);
  QVERIFY(calls.has_value());
  for (const Call& call : calls->calls) QVERIFY(call.ending == Ending::kUnknown && call.returned == kNever);
}

void CheckReadersTest::valuesOfEdnAreRead() {
  ValueReader reader(R"( #inst "x" {:a/b 1, 2})", Notation::kEdn);
  const auto value = reader.next();
  QVERIFY2(value && *value, value ? "" : value.error().what.c_str());
  QCOMPARE((*value)->kind, Value::kText);  // a tag tells nothing of what it tags
  const auto map = reader.next();
  QVERIFY(!map.has_value());  // three forms are no pairs
  QCOMPARE(map.error().what, std::string("expected a value for each key of the map"));
  ValueReader list(R"([nil true -12 1.5M "q\"\u00e9\n\ud83d\ude00" sym :kw/x (1 2) #{3}])", Notation::kEdn);
  const auto read = list.next();
  QVERIFY2(read && *read, read ? "" : read.error().what.c_str());
  const std::vector<Value>& items = (*read)->items;
  QCOMPARE(items.size(), std::size_t{9});
  QVERIFY(items[0].kind == Value::kNil && items[1].number == 1 && items[2].number == -12);
  QVERIFY(items[3].kind == Value::kReal && items[4].text == "q\"é\n😀" && items[5].text == "sym");
  QVERIFY(items[6].text == "kw/x" && items[7].items.size() == 2 && items[8].items.size() == 1);
  QCOMPARE(items[2].place.column, std::size_t{11});
}

void CheckReadersTest::whatIsWrittenReadsBack() {
  for (int i = 0; i < kModels; ++i) {
    const Model model{static_cast<ModelKind>(i), 2};
    leasescope::tests::LockHistory history(model, 50'000);
    Calls calls = history.make(300);
    std::size_t failed = 0;
    while (calls.calls[failed].ending != Ending::kOk || !takes(calls.calls[failed].f)) ++failed;
    calls.calls[failed].ending = Ending::kFailed;
    calls.calls[failed].fence = 0;
    calls.calls[5].uid = calls.names.intern("with \"quotes\" and ü");
    calls.calls[7].clock = -5;
    calls.annotations.push_back({17, "pause began at c1"});
    const auto json = read_calls(json_lines(calls), false);
    QVERIFY2(json.has_value(), json ? "" : json.error().what.c_str());
    QVERIFY(same(calls, *json));
    QCOMPARE(json->annotations.size(), std::size_t{1});
    for (Call& call : calls.calls)
      if (call.ending == Ending::kUnknown) call.fence = 0;
    const auto back = read_calls(edn(calls), false);
    QVERIFY2(back.has_value(), back ? "" : back.error().what.c_str());
    QVERIFY(same(calls, *back));
    QCOMPARE(back->calls[7].clock, std::optional<std::int64_t>(-5));
    QCOMPARE(judge(model, *back, {}).verdict, judge(model, calls, {}).verdict);
  }
}

void CheckReadersTest::knossosGetsANewProcessAfterAnUnknownEnd() {
  const auto calls = read_calls(R"({"process":"c1","type":"info","f":"lock","t_call":1}
{"process":"c2","type":"ok","f":"lock","fence":4,"t_call":2,"t_return":3}
{"process":"c1","type":"ok","f":"unlock","t_call":4,"t_return":5}
)",
                                false);
  QVERIFY(calls.has_value());
  QCOMPARE(edn(*calls),
           std::string(
               R"({:index 0, :time 1, :process 0, :type :invoke, :f :acquire, :mutex "", :value {:client "c1"}}
{:index 1, :time 2, :process 1, :type :invoke, :f :acquire, :mutex "", :value {:client "c2"}}
{:index 2, :time 3, :process 1, :type :ok, :f :acquire, :mutex "", :value {:client "c2", :fence 4}}
{:index 3, :time 4, :process 2, :type :invoke, :f :release, :mutex "", :value {:client "c1"}}
{:index 4, :time 5, :process 2, :type :ok, :f :release, :mutex "", :value {:client "c1"}}
)"));
}

void CheckReadersTest::callsOfOneProcessAtOnceAreWrittenAsOfSeveral() {
  const auto calls = read_calls(R"({"process":"c1","type":"ok","f":"lock","t_call":1,"t_return":10}
{"process":"c1","type":"ok","f":"unlock","t_call":5,"t_return":20}
{"process":"c1","type":"ok","f":"lock","t_call":30,"t_return":30}
)",
                                false);
  QVERIFY(calls.has_value());
  QCOMPARE(edn(*calls),
           std::string(
               R"({:index 0, :time 1, :process 0, :type :invoke, :f :acquire, :mutex "", :value {:client "c1"}}
{:index 1, :time 5, :process 1, :type :invoke, :f :release, :mutex "", :value {:client "c1"}}
{:index 2, :time 10, :process 0, :type :ok, :f :acquire, :mutex "", :value {:client "c1"}}
{:index 3, :time 20, :process 1, :type :ok, :f :release, :mutex "", :value {:client "c1"}}
{:index 4, :time 30, :process 0, :type :invoke, :f :acquire, :mutex "", :value {:client "c1"}}
{:index 5, :time 30, :process 0, :type :ok, :f :acquire, :mutex "", :value {:client "c1"}}
)"));
  const auto back = read_calls(edn(*calls), false);
  QVERIFY2(back.has_value(), back ? "" : back.error().what.c_str());
  QVERIFY(same(*calls, *back));
}

void CheckReadersTest::theOrderWithinANanosecondIsWrittenToo() {
  const auto calls =
      read_calls(R"({:process 0 :type :invoke :f :lock :time 1}
{:process 0 :type :ok :f :lock :time 1}
{:process 1 :type :invoke :f :lock :time 1}
{:process 1 :type :invoke :f :lock :client "nemesis" :time 1})"
                 R"({:process 2 :type :invoke :f :lock :time 2} {:process 2 :type :ok :f :lock :time 3})",
                 false);
  QVERIFY(!calls.has_value());  // two of one process at once
  const auto good = read_calls(R"({:process 0 :type :invoke :f :lock :time 1}
{:process 0 :type :ok :f :lock :time 1 :fence 3}
{:process 1 :type :invoke :f :lock :time 1}
{:process 2 :type :invoke :f :lock :time 2}
{:process 2 :type :ok :f :lock :time 3})",
                               false);
  QVERIFY(good.has_value());
  QCOMPARE(json_lines(*good),
           std::string(R"({"process":"0","type":"invoke","f":"lock","mutex":"","client":"0","t_call":1}
{"process":"0","type":"ok","f":"lock","fence":3,"t_return":1}
{"process":"1","type":"invoke","f":"lock","mutex":"","client":"1","t_call":1}
{"process":"1","type":"info","f":"lock"}
{"process":"2","type":"ok","f":"lock","mutex":"","client":"2","t_call":2,"t_return":3}
)"));
}

void CheckReadersTest::whatHadNoTimesIsWrittenWithoutThem() {
  const auto calls = read_calls(R"({:process 0 :type :invoke :f :acquire}
{:process :nemesis :type :info :f :start}
{:process 0 :type :ok :f :acquire})",
                                false);
  QVERIFY(calls.has_value());
  QCOMPARE(json_lines(*calls), std::string(R"({"process":"0","type":"invoke","f":"acquire","mutex":"","client":"0"}
{"process":"nemesis","type":"info","f":"start"}
{"process":"0","type":"ok","f":"acquire"}
)"));
  QCOMPARE(edn(*calls),
           std::string(R"({:index 0, :process 0, :type :invoke, :f :acquire, :mutex "", :value {:client "0"}}
{:index 1, :process :nemesis, :type :info, :f :fault, :value "start"}
{:index 2, :process 0, :type :ok, :f :acquire, :mutex "", :value {:client "0"}}
)"));
}

void CheckReadersTest::annotationsStayAsTheyWere() {
  const std::string what = "start partition of the nodes n1 and n2 from n3, n4 and n5 until further notice";
  const auto calls = read_calls(
      "{:process :nemesis :type :info :f :start :time 2 :value \"" + what.substr(6) +
          "\"}\n{:process :nemesis :type :info :f :start :time 3 :value [:isolated {\"n1\" #{\"n2\" 3}} nil]}\n"
          "{:process \"nemesis 2\" :type :invoke :f :acquire :time 3}",
      false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  std::string json = json_lines(*calls), knossos = edn(*calls);
  for (int trip = 0; trip < 3; ++trip) {
    for (const std::string& text : {json, knossos}) {
      const auto read = read_calls(text, false);
      QVERIFY2(read.has_value(), read ? "" : read.error().what.c_str());
      QCOMPARE(read->annotations.size(), std::size_t{2});
      QCOMPARE(read->annotations[0].what, what);
      QCOMPARE(read->annotations[0].ns, std::int64_t{2});
      QCOMPARE(read->annotations[1].what, std::string("start [isolated {n1 [n2 3]} nil]"));
    }
    const std::string next = edn(*read_calls(json, false));
    json = json_lines(*read_calls(knossos, false));
    knossos = next;
  }
}

void CheckReadersTest::aRunsHistoryTellsOfItsCalls() {
  const char* const kText = R"({"format":"leasescope history","version":1,"program":"x"}
{"seq":1,"lo_ns":0,"hi_ns":0,"kind":"started","node":"c1","mutex":"orders"}
{"seq":2,"lo_ns":10,"hi_ns":10,"kind":"invoked","node":"c1","mutex":"orders","operation":"lock","uid":7}
{"seq":3,"lo_ns":20,"hi_ns":20,"kind":"returned","node":"c1","mutex":"orders","token":5,"operation":"lock","uid":7,"ending":"ok"}
{"seq":4,"lo_ns":25,"hi_ns":25,"kind":"fault_began","node":"c1","mutex":"orders","fault":"pause","duration_ns":9,"row":0}
{"seq":5,"lo_ns":30,"hi_ns":30,"kind":"expired","node":"c1","mutex":"orders","token":5}
{"seq":6,"lo_ns":40,"hi_ns":40,"kind":"invoked","node":"c2","mutex":"orders","operation":"try_lock","uid":7}
{"seq":7,"lo_ns":50,"hi_ns":50,"kind":"session_ended","node":"c1","mutex":"orders"}
{"seq":8,"lo_ns":50,"hi_ns":50,"kind":"released","node":"c1","mutex":"orders","token":5}
)";
  const auto calls = read_calls(kText, false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  QCOMPARE(calls->calls.size(), std::size_t{3});  // what ends a second time had been forgotten by then
  QVERIFY(calls->calls[0].fence == 5 && calls->calls[0].returned.ns == 20 && calls->calls[0].ending == Ending::kOk);
  QVERIFY(calls->calls[1].f == Operation::kExpire && calls->calls[1].called.ns == 30);
  QVERIFY(calls->calls[2].ending == Ending::kUnknown && calls->calls[2].f == Operation::kTryLock);
  QCOMPARE(calls->annotations[0].what, std::string("pause began at c1"));
}

// c1 has locked, c2 follows. What lies between the two, and whether c2 may hold then.
void CheckReadersTest::whatWasTakenFromAnApplicationEnds_data() {
  QTest::addColumn<QString>("between");
  QTest::addColumn<bool>("legal");
  const QString stolen =
      R"({"seq":4,"lo_ns":30,"hi_ns":30,"kind":"granted","node":"c2","mutex":"m","token":6,"lease_ns":9,"how":"stolen"})"
      "\n";
  const QString told =
      R"({"seq":5,"lo_ns":40,"hi_ns":40,"kind":"disbelieved","node":"c1","mutex":"m","token":5,"reason":"%1"})"
      "\n";
  const QString unlock =
      R"({"seq":6,"lo_ns":41,"hi_ns":41,"kind":"invoked","node":"c1","mutex":"m","operation":"unlock","uid":8}
{"seq":7,"lo_ns":45,"hi_ns":45,"kind":"returned","node":"c1","mutex":"m","operation":"unlock","uid":8,"ending":"%1"}
)";
  const QString ended = R"({"seq":8,"lo_ns":48,"hi_ns":48,"kind":"%1","node":"c1","mutex":"m","token":5})"
                        "\n";
  QTest::newRow("nothing") << QString() << false;
  QTest::newRow("unlocked") << unlock.arg("ok") << true;
  QTest::newRow("unlocked in vain, and nobody knows why") << unlock.arg("failed") << false;
  QTest::newRow("stolen, and not told") << stolen << false;
  QTest::newRow("stolen and told") << stolen + told.arg("stolen") << true;
  QTest::newRow("stolen, told and unlocked in vain") << stolen + told.arg("stolen") + unlock.arg("failed") << true;
  QTest::newRow("stolen, and learnt by the unlock") << stolen + unlock.arg("failed") << true;
  QTest::newRow("its time was over, and it freed it all the same")
      << unlock.arg("failed") + ended.arg("released") << true;
  QTest::newRow("released with its session, which nobody has called for") << ended.arg("released") << true;
  QTest::newRow("its time was over") << unlock.arg("failed") + ended.arg("expired") << true;
  QTest::newRow("released, and asked for once") << unlock.arg("ok") + ended.arg("released") << true;
  QTest::newRow("stolen, given back, and over") << stolen + told.arg("stolen") + ended.arg("expired") << true;
  const QString crashed = R"({"seq":5,"lo_ns":%1,"hi_ns":%1,"kind":"crashed","node":"c1","mutex":"m"})"
                          "\n";
  QTest::newRow("crashed") << crashed.arg(40) << false;
  QTest::newRow("stolen, and then crashed") << stolen + crashed.arg(40) << true;
  QTest::newRow("crashed, and then stolen") << crashed.arg(25) + stolen << true;
  QTest::newRow("unlocked in vain, and then stolen") << unlock.arg("failed") + stolen << true;
  const QString shorter = R"({"seq":3,"lo_ns":25,"hi_ns":25,"kind":"renewed","node":"c1","mutex":"m","lease_ns":10,)"
                          R"("token":5})"
                          "\n";
  const QString longer = R"({"seq":5,"lo_ns":32,"hi_ns":32,"kind":"attempt","node":"c1","mutex":"m","token":5,)"
                         R"("result":"won","call":"extend","remaining_ns":900})"
                         "\n";
  QTest::newRow("stolen, and its time was over") << shorter + stolen << true;
  QTest::newRow("stolen, and it was told of more time") << shorter + stolen + longer << false;
  QTest::newRow("a message") << told.arg("event") << false;
}
void CheckReadersTest::whatWasTakenFromAnApplicationEnds() {
  QFETCH(QString, between);
  QFETCH(bool, legal);
  const char* const kBefore = R"({"format":"leasescope history","version":1,"program":"x"}
{"seq":1,"lo_ns":10,"hi_ns":10,"kind":"invoked","node":"c1","mutex":"m","operation":"lock","uid":7}
{"seq":2,"lo_ns":15,"hi_ns":15,"kind":"granted","node":"c1","mutex":"m","token":5,"lease_ns":900}
{"seq":3,"lo_ns":20,"hi_ns":20,"kind":"returned","node":"c1","mutex":"m","token":5,"operation":"lock","uid":7,"ending":"ok"}
)";
  const char* const kAfter =
      R"({"seq":9,"lo_ns":50,"hi_ns":50,"kind":"invoked","node":"c2","mutex":"m","operation":"lock","uid":9}
{"seq":10,"lo_ns":60,"hi_ns":60,"kind":"returned","node":"c2","mutex":"m","token":6,"operation":"lock","uid":9,"ending":"ok"}
)";
  const auto calls = read_calls(kBefore + between.toStdString() + kAfter, false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  QCOMPARE(judge({ModelKind::kFenced}, *calls, {}).verdict, legal ? Verdict::kOk : Verdict::kIllegal);
}

// Of two attempts of one call the first was granted and ran out, and its caller never heard of either.
void CheckReadersTest::anAttemptThatNobodyHeardOfEndsNothing() {
  const char* const kText = R"({"format":"leasescope history","version":1,"program":"x"}
{"seq":1,"lo_ns":10,"hi_ns":10,"kind":"invoked","node":"c1","mutex":"m","operation":"lock","uid":7}
{"seq":2,"lo_ns":15,"hi_ns":15,"kind":"granted","node":"c1","mutex":"m","token":5,"lease_ns":900}
{"seq":3,"lo_ns":24,"hi_ns":24,"kind":"expired","node":"c1","mutex":"m","token":5}
{"seq":4,"lo_ns":30,"hi_ns":30,"kind":"granted","node":"c1","mutex":"m","token":6,"lease_ns":9}
{"seq":5,"lo_ns":31,"hi_ns":31,"kind":"returned","node":"c1","mutex":"m","token":%1,"operation":"lock","uid":7,"ending":"ok"}
)";
  QCOMPARE(read_calls(QString(kText).arg(6).toStdString(), false)->calls.size(), std::size_t{1});
  QCOMPARE(read_calls(QString(kText).arg(5).toStdString(), false)->calls.size(), std::size_t{2});  // it was late
}

// So long a lease has no end that could be counted, and its thief's call is no time before it.
void CheckReadersTest::aLeaseOfAllTimeEndsAtNoTime() {
  const char* const kText = R"({"format":"leasescope history","version":1,"program":"x"}
{"seq":1,"lo_ns":10,"hi_ns":10,"kind":"invoked","node":"c1","mutex":"m","operation":"lock","uid":7}
{"seq":2,"lo_ns":15,"hi_ns":15,"kind":"granted","node":"c1","mutex":"m","token":5,"lease_ns":9223372036854775807}
{"seq":3,"lo_ns":20,"hi_ns":20,"kind":"returned","node":"c1","mutex":"m","token":5,"operation":"lock","uid":7,"ending":"ok"}
{"seq":4,"lo_ns":30,"hi_ns":30,"kind":"granted","node":"c2","mutex":"m","token":6,"lease_ns":9,"how":"stolen"}
{"seq":5,"lo_ns":31,"hi_ns":31,"kind":"attempt","node":"c1","mutex":"m","token":5,"result":"won","remaining_ns":9223372036854775807}
{"seq":6,"lo_ns":40,"hi_ns":40,"kind":"renewed","node":"c2","mutex":"m","token":6,"lease_ns":9223372036854775807}
{"seq":7,"lo_ns":50,"hi_ns":50,"kind":"granted","node":"c3","mutex":"m","token":7,"lease_ns":9,"how":"stolen"}
)";
  const auto calls = read_calls(kText, false);
  QVERIFY2(calls.has_value(), calls ? "" : calls.error().what.c_str());
  for (const Call& call : calls->calls) QVERIFY(call.called.ns >= 10 && call.called <= call.returned);
  QCOMPARE(calls->calls.size(), std::size_t{1});  // of the thefts nobody was told yet
  const auto grants = read_calls(kText, true);
  QVERIFY(grants.has_value() && judge({ModelKind::kLease, 2, 1}, *grants, {}).verdict == Verdict::kIllegal);
}

void CheckReadersTest::aRunsHistoryTellsOfItsGrants() {
  const char* const kText = R"({"format":"leasescope history","version":1}
{"seq":4,"lo_ns":10,"hi_ns":12,"kind":"granted","node":"c1","mutex":"orders","token":1,"lease_ns":100}
{"seq":5,"lo_ns":60,"hi_ns":60,"kind":"renewed","node":"c1","mutex":"orders","token":1,"lease_ns":100}
{"seq":6,"lo_ns":120,"hi_ns":120,"kind":"granted","node":"c2","mutex":"orders","token":2,"lease_ns":100}
)";
  const auto calls = read_calls(kText, true);
  QVERIFY(calls.has_value());
  const Judgement judged = judge({ModelKind::kLease}, *calls, {});
  QCOMPARE(judged.verdict, Verdict::kIllegal);
  QCOMPARE(judged.locks[0].offence.size(), std::size_t{2});  // that it was renewed is known by the renewal alone
  QCOMPARE(judge({ModelKind::kLease, 2, 40}, *calls, {}).verdict, Verdict::kOk);
}

void CheckReadersTest::errorsNameLineAndColumn_data() {
  QTest::addColumn<std::string>("text");
  QTest::addColumn<std::string>("error");
  const auto row = [](const char* name, const char* text, const char* error) {
    QTest::newRow(name) << std::string(text) << std::string(error);
  };
  row("no JSON", "{\"process\":1,\"type\":oops}", "1:21: expected a value, not oops");
  row("cut short", "{\"process\":1,", "1:14: expected a key in quotes");
  row("no comma", "{\"process\":1 \"type\":\"ok\"}", "1:14: expected , or }");
  row("a wrong type", "{\"process\":1,\"type\":\"okay\",\"f\":\"lock\"}",
      "1:21: expected invoke, ok, fail or info, not okay");
  row("a wrong call", "{\"process\":1,\"type\":\"ok\",\"f\":\"lok\"}",
      "1:30: expected one of lock, try_lock, unlock, acquire, release, read_lock, read_unlock, write_lock, "
      "write_unlock, "
      "renew, expire, not lok (did you mean lock?)");
  row("an unknown key", "\n{\"process\":1,\"type\":\"ok\",\"fnce\":3}",
      "2:26: unknown key fnce (did you mean fence?): expected process, type, f, value, mutex, client, fence, uid, "
      "permits, ttl, deadline, t_call, t_return, time, clock, index, error, note");
  row("no type", "{\"process\":1,\"f\":\"lock\"}", "1:1: expected \"type\": invoke, ok, fail or info");
  row("no process", "{\"type\":\"ok\",\"f\":\"lock\",\"t_call\":1}", "1:1: expected \"process\"");
  row("no beginning", "{:process 1 :type :ok :f :acquire}",
      "1:1: process 1 has no open call: expected its invoke before, or \"t_call\" here");
  row("two beginnings", "{:process 1 :type :invoke :f :acquire}\n{:process 1 :type :invoke :f :release}",
      "2:1: process 1 calls anew while its call of line 1 is open: expected its end first");
  row("another end", "{:process 1 :type :invoke :f :acquire}\n{:process 1 :type :ok :f :release}",
      "2:1: process 1 called acquire: expected its end, not that of release");
  row("back in time", "{\"process\":1,\"type\":\"ok\",\"f\":\"lock\",\"t_call\":9,\"t_return\":3}",
      "1:1: expected a return at 9 ns, the time of the call, or later, not at 3 ns");
  row("no fence", "{\"process\":1,\"type\":\"ok\",\"fence\":-1}", "1:34: expected a whole number from 0 on, not -1");
  row("no permit", "{\"process\":1,\"type\":\"ok\",\"permits\":0}", "1:36: expected a whole number from 1 on, not 0");
  row("no time", "{\"process\":1,\"type\":\"ok\",\"t_call\":\"soon\"}",
      "1:35: expected whole nanoseconds or a text like \"1.5s\", not soon");
  row("some times", "{:process 1 :type :invoke :f :acquire :time 4}\n{:process 2 :type :invoke :f :acquire}",
      "2:1: expected a time here as the others have: t_call, t_return or time");
  row("a strange value", "{:process 1 :type :invoke :f :acquire :value 3}",
      "1:46: expected nil, a map of fields like :client and :fence, or [lock value], not 3");
  row("a strange word", "{:process 1 :type :ok :f :acquire :value :held}",
      "1:42: expected nil, a map of fields like :client and :fence, or [lock value], not held");
  row("a strange value in JSON", "{\"process\":1,\"type\":\"info\",\"value\":\"u\"}",
      "1:36: expected nil, a map of fields like :client and :fence, or [lock value], not u");
  row("a strange fence", "{:process 1 :type :ok :f :acquire :value {:fence \"7\"}}",
      "1:50: expected a whole number from 0 on, not 7");
  row("no map", "42", "1:1: expected a map of a call, not 42");
  row("an open map", "{:process 1", "1:12: expected }, and the file has ended");
  row("too long a number", "{:process 1 :type :ok :fence 99999999999999999999999}",
      "1:30: expected a whole number from 0 on, not 99999999999999999999999");
  row("another format", "{\"format\":\"recipe\"}", "1:11: expected the format \"leasescope history\"");
  row("a later version", "{\"format\":\"leasescope history\",\"version\":2}",
      "1:42: expected version 1: a newer leasescopectl has written it");
  row("no end of time", "{\"process\":1,\"type\":\"ok\",\"f\":\"lock\",\"t_call\":1,\"t_return\":9223372036854775807}",
      "1:59: expected a time from -4611686018427387903 to 4611686018427387903 ns, not 9223372036854775807 ns: a call "
      "that "
      "never returned is one of type info");
  row("no beginning of time", "{:process 1 :type :invoke :f :acquire :time -9223372036854775808}",
      "1:45: expected a time from -4611686018427387903 to 4611686018427387903 ns, not -9223372036854775808 ns: a call "
      "that "
      "never returned is one of type info");
  row("an event at no time",
      "{\"format\":\"leasescope history\"}\n{\"seq\":1,\"kind\":\"granted\",\"lo_ns\":1,\"hi_ns\":9223372036854775807}",
      "2:45: expected \"hi_ns\": a time from -4611686018427387903 to 4611686018427387903 ns");
  const std::string run = "{\"format\":\"leasescope history\"}\n";
  const auto event = [](const char* kind, int seq, int lo, int hi, const char* more) {
    return fmt::format(R"({{"seq":{},"lo_ns":{},"hi_ns":{},"kind":"{}","node":"a","mutex":"m"{}}})", seq, lo, hi, kind,
                       more) +
           "\n";
  };
  const char* const call = R"(,"operation":"lock","uid":1,"ending":"ok")";
  QTest::newRow("an event that ends before it begins")
      << run + event("granted", 4, 12, 10, R"(,"lease_ns":9)")
      << std::string("2:29: expected \"hi_ns\": 12 ns, its \"lo_ns\", or later, not 10 ns");
  QTest::newRow("a return before its call")
      << run + event("invoked", 1, 25, 25, call) + event("returned", 2, 20, 20, call)
      << std::string("3:29: expected a return at 25 ns, the time of the call, or later, not at 20 ns");
  QTest::newRow("a return before its call, of the same time")
      << run + event("invoked", 3, 25, 25, call) + event("returned", 2, 25, 25, call)
      << std::string("3:29: expected a return after the call, whose \"seq\" is 3, not of \"seq\" 2 at the same time");
  row("no UTF-8", "{\"process\":\"a\xFF\"}", "1:12: expected UTF-8 in this text");
  row("no UTF-8 in a word", "{:process a\xC3\x28}", "1:11: expected UTF-8 in this word");
  row("half a surrogate pair", "{\"process\":\"\\udc00\"}", "1:19: expected the first half of a surrogate pair before");
  QTest::newRow("no token") << run + event("granted", 4, 12, 12, R"(,"lease_ns":9,"token":-1)")
                            << std::string("2:93: expected \"token\": a whole number from 0 to 9223372036854775807");
  QTest::newRow("too many permits") << run + event("invoked", 4, 12, 12,
                                                   R"(,"operation":"acquire","uid":1,"permits":4294967297)")
                                    << std::string("2:112: expected \"permits\": a whole number from 0 to 4294967295");
  row("an event without time",
      "{\"format\":\"leasescope history\"}\n{\"seq\":1,\"kind\":\"granted\",\"node\":\"a\",\"mutex\":\"m\"}",
      "2:1: expected \"lo_ns\": a whole number");
}

void CheckReadersTest::errorsNameLineAndColumn() {
  QFETCH(std::string, text);
  QFETCH(std::string, error);
  QCOMPARE(error_of(text), error);
}

void CheckReadersTest::noTextBreaksTheReader() {
  RandomStream draws(1, "texts", "broken");
  leasescope::tests::LockHistory history({ModelKind::kFenced}, 50'000);
  const Calls calls = history.make(20);
  for (const std::string& good : {json_lines(calls), edn(calls)}) {
    for (int i = 0; i < 3'000; ++i) {
      std::string text = good;
      for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(draws.below(text.size()));
        constexpr std::string_view kSigns = "{}[]()\"\\:,;#0-9.eaN\n\x01\xff";
        if (draws.below(3) == 0)
          text.erase(at, static_cast<std::size_t>(draws.below(20)));
        else
          text[at] = kSigns[static_cast<std::size_t>(draws.below(kSigns.size()))];
        if (text.empty()) text = "{";
      }
      const auto read = read_calls(text, false);
      if (!read) QVERIFY(read.error().place.line >= 1 && !read.error().what.empty());
    }
  }
  const std::string deep(100'000, '[');
  QVERIFY(error_of(deep).find("no deeper than") != std::string::npos);
  QVERIFY(error_of("{\"a\":" + deep).find("no deeper than") != std::string::npos);
  std::string dropped;
  for (int i = 0; i < 100'000; ++i) dropped += "#_";
  QVERIFY(error_of(dropped).find("expected") != std::string::npos);
}

LEASESCOPE_SUITE(CheckReadersTest)
#include "check_readers_test.moc"
