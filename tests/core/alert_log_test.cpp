// What a recording keeps of alerts: that one began, was over, was acknowledged or muted, each once, also where rules
// are read anew.
#include "core/alerts/alert_log.h"

#include <fmt/format.h>

#include "core/alerts/alert_kinds.h"
#include "tests/support/suite.h"

#include <QTest>

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

TrueTime at_ms(std::int64_t ms) { return TrueTime{} + std::chrono::milliseconds(ms); }

AlertRule dark(const char* name, Duration length) {
  AlertRule out;
  out.name = name;
  out.kind = find_alert_kind("not_observed");
  out.length = length;
  return out;
}

// A desk, events of which only these matter, and what its log took.
class Night {
 public:
  explicit Night(std::vector<AlertRule> rules) : desk_(std::move(rules)) {}

  Night& dark(int ms, const char* mutex) { return tell(ms, EventKind::kUnobservedBegan, mutex); }
  Night& seen(int ms, const char* mutex) { return tell(ms, EventKind::kUnobservedEnded, mutex); }
  Night& look(int ms) {
    desk_.advance(at_ms(ms), names_);
    log_.look(desk_, at_ms(ms));
    return *this;
  }
  Night& replace(std::vector<AlertRule> rules, int ms) {
    AlertDesk next(std::move(rules), desk_, names_);
    next.advance(at_ms(ms), names_);
    next.take_over(desk_);
    log_.replace(desk_, next, at_ms(ms));
    desk_ = std::move(next);
    return *this;
  }
  AlertDesk& desk() { return desk_; }
  const NameTable& names() const { return names_; }
  // "1 began 1000 orders, 1 over 3000 orders", in ms; of what was muted until when.
  std::string told() {
    std::string out;
    for (const AlertNote& each : log_.take()) {
      const auto ms = [](TrueTime at) { return at.time_since_epoch().count() / 1'000'000; };
      out += fmt::format("{}{} {} {} {}", out.empty() ? "" : ", ", each.alert, text(each.deed), ms(each.at),
                         names_.text(each.subject));
      if (each.deed == AlertDeed::kMuted) out += fmt::format(" until {}", ms(each.until));
    }
    return out;
  }
  std::vector<AlertNote> take() { return log_.take(); }

 private:
  Night& tell(int ms, EventKind kind, const char* mutex) {
    Event event;
    event.lo = event.hi = at_ms(ms);
    event.kind = kind;
    event.node = names_.intern("store");
    event.mutex = names_.intern(mutex);
    desk_.append(event, names_);
    return *this;
  }

  NameTable names_;
  AlertDesk desk_;
  AlertLog log_;
};

}  // namespace

class AlertLogTest : public QObject {
  Q_OBJECT
 private slots:
  void eachThingIsNotedOnce() {
    Night night({dark("blind", 1s)});
    QCOMPARE(night.dark(0, "orders").look(900).told(), std::string());
    QCOMPARE(night.look(2000).told(), std::string("1 began 1000 orders"));
    QCOMPARE(night.look(2100).told(), std::string());
    night.desk().acknowledge(0);
    QCOMPARE(night.look(2200).told(), std::string("1 acknowledged 2200 orders"));
    QCOMPARE(night.seen(3000, "orders").look(3100).look(3200).told(), std::string("1 over 3000 orders"));
    // The next one is another.
    QCOMPARE(night.dark(4000, "orders").look(6000).told(), std::string("2 began 5000 orders"));
  }
  void aNoteSaysByWhichRuleAndItsWords() {
    Night night({dark("blind", 1s)});
    const std::vector<AlertNote> notes = night.dark(0, "orders").look(2000).take();
    QCOMPARE(notes.size(), std::size_t{1});
    QCOMPARE(notes[0].rule, std::string("blind"));
    QCOMPARE(notes[0].kind, std::string("not_observed"));
    QCOMPARE(notes[0].words, night.desk().engine().alerts()[0].words);
    QVERIFY(!notes[0].words.empty());
  }
  // What begins and is over between two looks is noted too, and what was done about it in between.
  void whatIsOverAtOnceIsNotedWhole() {
    Night night({dark("blind", 1s)});
    QCOMPARE(night.dark(0, "orders").seen(3000, "orders").look(6000).told(),
             std::string("1 began 1000 orders, 1 over 3000 orders"));
    night.dark(7000, "orders").look(9000);
    QCOMPARE(night.told(), std::string("2 began 8000 orders"));
    night.desk().acknowledge(1);
    QCOMPARE(night.seen(9500, "orders").look(9600).told(),
             std::string("2 acknowledged 9600 orders, 2 over 9500 orders"));
  }
  // One that begins while it is muted was told to nobody; when the time is over, and it is muted again, that is noted.
  void whatIsMutedIsNotedWithItsEnd() {
    Night night({dark("blind", 1s)});
    night.dark(0, "orders").look(2000).told();
    night.desk().mute(0, at_ms(60'000));
    QCOMPARE(night.look(2100).look(2200).told(), std::string("1 muted 2100 orders until 60000"));
    night.seen(3000, "orders").look(3500).dark(4000, "orders").look(6000);
    QCOMPARE(night.told(), std::string("1 over 3000 orders, 2 began 5000 orders, 2 muted 6000 orders until 60000"));
    QCOMPARE(night.look(70'000).told(), std::string());
    night.desk().mute(1, at_ms(90'000));
    QCOMPARE(night.look(70'100).told(), std::string("2 muted 70100 orders until 90000"));
  }
  void otherRulesGoOnOrEndWhatThereWas() {
    Night night({dark("blind", 1s), dark("long", 2s)});
    night.dark(0, "orders").look(3000);
    QCOMPARE(night.told(), std::string("1 began 1000 orders, 2 began 2000 orders"));
    night.desk().acknowledge(0);
    night.look(3100).told();
    night.replace({dark("new", 500ms), dark("blind", 1s)}, 4000).look(4000);
    QCOMPARE(night.told(), std::string("2 over 4000 orders, 3 began 500 orders"));
    QCOMPARE(night.seen(5000, "orders").look(5000).told(), std::string("1 over 5000 orders, 3 over 5000 orders"));
  }
  void notesAreFoldedToAlerts() {
    Night night({dark("blind", 1s)});
    night.dark(0, "orders").dark(500, "bills").look(2000);
    night.desk().acknowledge(0);
    night.desk().mute(1, at_ms(60'000));
    night.look(2100).seen(3000, "orders").look(3000);
    std::vector<AlertNote> notes = night.take();
    const std::vector<FiredAlert> fired = fired_alerts(notes);
    QCOMPARE(fired.size(), std::size_t{2});
    QCOMPARE(night.names().text(fired[0].subject), std::string_view("orders"));
    QVERIFY(fired[0].from == at_ms(1000) && fired[0].to == at_ms(3000) && fired[0].acknowledged == at_ms(2100));
    QVERIFY(!fired[0].muted && fired[1].lasts() && !fired[1].acknowledged);
    QVERIFY(fired[1].muted == std::pair(at_ms(2100), at_ms(60'000)));
    // Where its begin was dropped nothing can be told of it.
    notes.erase(notes.begin());
    QCOMPARE(fired_alerts(notes).size(), std::size_t{1});
  }
  void wordsOfDeedsAreThoseThatAreRead() {
    for (const AlertDeed each : {AlertDeed::kBegan, AlertDeed::kOver, AlertDeed::kAcknowledged, AlertDeed::kMuted})
      QVERIFY(alert_deed_of(text(each)) == each);
    QVERIFY(!alert_deed_of("began "));
  }
};

LEASESCOPE_SUITE(AlertLogTest)
#include "alert_log_test.moc"
