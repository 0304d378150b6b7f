// What a cause says has happened. Each sentence of each incident of the catalogue is read against the events it
// tells of: who says "released" needs a released event, and so on. A sentence that no rule knows is a failure.
#include <regex>

#include "simulator/fault/kind.h"
#include "tests/engine/runs.h"
#include "tests/support/catalogue_rows.h"
#include "tests/support/seeds.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

using Match = std::smatch;

class Reading {
 public:
  Reading(const History& history, const Incident& incident) : history_(history), incident_(incident) {}

  // The names and figures of the sentence, checked; what is wrong, or nothing.
  QString wrong() const {
    const std::string& cause = incident_.cause;
    int told = 0;
    QString found;
    for (const Rule& rule : rules()) {
      const std::regex pattern(rule.pattern);
      for (std::sregex_iterator match(cause.begin(), cause.end(), pattern), end; match != end; ++match) {
        ++told;
        if (!(this->*rule.holds)(*match) && found.isEmpty())
          found = QString("\"%1\" is not what happened").arg(QString::fromStdString(match->str()));
      }
    }
    if (!found.isEmpty()) return found;
    if (told == 0) return "no rule reads it";
    return cause.find("#0") == std::string::npos ? QString() : "a token that is none has a number";
  }

 private:
  struct Rule {
    const char* pattern;
    bool (Reading::*holds)(const Match&) const;
  };
  static const std::vector<Rule>& rules() {
    static const std::vector<Rule> all{
        {R"((\S+) released(?: before its application had stopped)?[:;])", &Reading::released},
        {R"((\S+)'s lease ended[;.])", &Reading::lease_ended},
        {R"((\S+)'s lease (#\d+ |without a token )?ended early)", &Reading::ended_early},
        {R"((\S+) (?:was|had been) granted (it without a token|#\d+))", &Reading::was_granted},
        {R"(The store granted (#\d+|it without a token) to (\S+) )", &Reading::store_granted},
        {R"((\S+)'s pause outlived)", &Reading::paused},
        {R"((\S+) resumed and wrote)", &Reading::paused_before},
        {R"((\S+) was paused until its lease had ended)", &Reading::paused_before},
        {R"((\S+) was told by a (?:late )?message that it owns)", &Reading::told_by_message},
        {R"((\S+) was told by a (?:late )?reply that it owns)", &Reading::told_by_reply},
        {R"((\S+)'s timers starved)", &Reading::starved},
        {R"((\S+)'s clock did not keep time)", &Reading::drifted},
        {R"((\S+) was cut off from the store)", &Reading::cut_off},
        {R"(clock was set (back|forward) by ([\d.]+) s at ([\d.]+) s)", &Reading::clock_set},
        {R"(had been deleted by hand)", &Reading::deleted},
        {R"(the replica had taken over)", &Reading::failed_over},
        {R"(had come back without)", &Reading::restarted},
        {R"((\S+) wrote (\d+) times with(?:out)? (#\d+|a token))", &Reading::wrote_times},
        {R"((\S+) (?:resumed and )?wrote with(?:out)? (#\d+|a token))", &Reading::wrote_once},
        {R"((\d+) writes? of (\S+) with #(\d+) came late)", &Reading::came_late},
        {R"((\S+) had seen #(\d+))", &Reading::had_seen},
        {R"((\S+)'s renewal (?:arrived|was refused))", &Reading::renewal_refused},
        {R"((\S+) and (\S+) hold #(\d+) together)", &Reading::hold_together},
        {R"((\S+) was the first to come)", &Reading::first_to_come},
        {R"((\S+) began to contend and nobody held it)", &Reading::began_to_contend},
        {R"((\S+) refused (\d+ writes|a write) of (\S+): no token)", &Reading::refused_without_token},
        {R"(changed its owner (\d+) times)", &Reading::changed},
        {R"(a shorter lease than it had promised)", &Reading::shorter},
        {R"((\S+)(?: was cut off from the store and)? went on believing)", &Reading::believed},
        {R"((\S+)'s watchdog ended its lease(?: #(\d+))?, which was not renewed in time)", &Reading::watchdog_ended},
        {R"((\S+) gave up its lease(?: #(\d+))? because (of a message|a renewal failed))", &Reading::gave_up},
        {R"(though the store held it for ([\d.]+) s more)", &Reading::held_for_longer},
        {R"((\S+) was paused\.)", &Reading::paused},
        {R"(The store holds (\S+) for (\S+)(?: \(#(\d+)\))?, who does not believe it)", &Reading::held_unknown},
        {R"((\S+) is down)", &Reading::down},
        {R"((\S+) has stepped down)", &Reading::stepped_down},
        {R"(no answer has told (\S+)\.)", &Reading::not_answered},
        {R"((\S+) released while others waited, and (\S+) was granted it only ([\d.]+) s later)", &Reading::late},
        {R"((\d+) calls on (\S+) were answered within ([\d.]+) s, all (of them|but one) in vain)", &Reading::crowd},
        {R"((\S+) had (\d+) of its calls answered within a second)", &Reading::busy},
        {R"((\S+) stepped down from its lead(?: #(\d+)| without a token)?: without a connection)",
         &Reading::left_its_lead},
        {R"((\S+) was told that its session had ended, and its lock(?: #(\d+))? with it)", &Reading::session_ended},
        {R"((\S+) took (a write|\d+ writes) of (\S+) with #(\d+), the token that (\S+) had shown)", &Reading::shared},
        {R"((\S+) took (a write|\d+ writes) of (\S+) with #(\d+) after (\S+) had taken #(\d+))", &Reading::mixed},
    };
    return all;
  }

  Name named(const std::string& text) const {
    for (const Event& event : history_.events)
      if (history_.names.text(event.node) == text) return event.node;
    return {};
  }
  template <class Test>
  const Event* last(TrueTime until, Test&& test) const {
    const Event* found = nullptr;
    for (const Event& event : history_.events)
      if (event.at() <= until && test(event)) found = &event;
    return found;
  }
  const Event* last_of(EventKind kind, const std::string& who, TrueTime until) const {
    const Name name = named(who);
    return last(until, [&](const Event& e) { return e.kind == kind && e.node == name; });
  }
  bool fault(const char* kind, const std::string& who, bool still) const {
    const auto place = static_cast<std::uint8_t>(index_of(*find_fault_kind(kind)));
    const Name name = who.empty() ? Name{} : named(who);
    const Event* began = last(incident_.start, [&](const Event& e) {
      return e.kind == EventKind::kFaultBegan && e.detail == place && (who.empty() || e.node == name);
    });
    return began != nullptr && (!still || began->at() + Duration(began->a) >= incident_.start);
  }
  static Token token_of(const std::string& text) {
    const auto sign = text.find('#');
    return sign == std::string::npos ? kNoToken : std::stoull(text.substr(sign + 1));
  }

  bool released(const Match& m) const {
    // Since it was last granted, and before the incident began (a gap begins with it).
    const Event* granted = last_of(EventKind::kGranted, m[1], incident_.start);
    const Event* freed = last_of(EventKind::kReleased, m[1], incident_.start);
    return granted != nullptr && freed != nullptr && freed >= granted;
  }
  bool lease_ended(const Match& m) const { return last_of(EventKind::kExpired, m[1], incident_.start) != nullptr; }
  bool ended_early(const Match& m) const {
    const Event* granted = last_of(EventKind::kGranted, m[1], incident_.start);
    const Event* other = last(incident_.start, [&](const Event& e) {
      return e.kind == EventKind::kGranted && granted != nullptr && e.node != granted->node && e.at() > granted->at();
    });
    return granted != nullptr && other != nullptr && other->at() < granted->at() + 4 * Duration(granted->a);
  }
  bool was_granted(const Match& m) const {
    const Name name = named(m[1]);
    const Token token = token_of(m[2]);
    return last(incident_.end, [&](const Event& e) {
             return e.kind == EventKind::kGranted && e.node == name && e.token == token;
           }) != nullptr;
  }
  bool store_granted(const Match& m) const {
    const Event* granted = last_of(EventKind::kGranted, m[2], incident_.start);
    return granted != nullptr && granted->token == token_of(m[1]);
  }
  bool paused(const Match& m) const { return fault("pause", m[1], true); }
  bool paused_before(const Match& m) const { return fault("pause", m[1], false); }
  bool told_by_message(const Match& m) const { return told_by(m[1], EventKind::kNotification); }
  bool told_by_reply(const Match& m) const { return told_by(m[1], EventKind::kAttempt); }
  bool told_by(const std::string& who, EventKind kind) const {
    const Event* told = last_of(EventKind::kBelieved, who, incident_.start);
    return told != nullptr && told->cause != 0 && history_.events[told->cause - 1].kind == kind;
  }
  bool starved(const Match& m) const { return fault("starve", m[1], true); }
  bool drifted(const Match& m) const {
    return fault("clock_drift", m[1], true) || fault("clock_sine", m[1], true) || fault("clock_slew", m[1], true);
  }
  bool cut_off(const Match& m) const { return fault("partition", m[1], true); }
  bool clock_set(const Match& m) const {
    const std::int64_t by = ns(m[2]) * (m[1] == "back" ? -1 : 1);
    return last(incident_.end, [&](const Event& e) {
             return e.kind == EventKind::kClockChanged && e.a == by &&
                    std::abs(e.at().time_since_epoch().count() - ns(m[3])) < 1'000'000;
           }) != nullptr;
  }
  bool deleted(const Match&) const { return fault("delete_key", {}, false) || fault("delete_row", {}, false); }
  bool failed_over(const Match&) const { return fault("store_failover", {}, false); }
  bool restarted(const Match&) const { return fault("store_crash", {}, false); }
  std::uint64_t writes(const std::string& who, Token token) const {
    const Name name = named(who);
    std::uint64_t count = 0;
    for (const Event& e : history_.events)
      count += (e.kind == EventKind::kWriteRejected || e.kind == EventKind::kWriteStaleAccepted) && e.node == name &&
               e.token == token && e.at() >= incident_.start && e.at() <= incident_.end;
    return count;
  }
  bool wrote_times(const Match& m) const { return writes(m[1], token_of(m[3])) == std::stoull(m[2]); }
  bool wrote_once(const Match& m) const { return writes(m[1], token_of(m[2])) == 1; }
  bool came_late(const Match& m) const {
    return writes(m[2], std::stoull(m[3])) == std::stoull(m[1]) && fault("late_packet", {}, false);
  }
  bool had_seen(const Match& m) const {
    const Token seen = std::stoull(m[2]);
    return last(incident_.end, [&](const Event& e) {
             return e.kind == EventKind::kWriteAccepted && e.token == seen &&
                    history_.names.text(Name{static_cast<std::uint32_t>(e.a)}) == m[1].str();
           }) != nullptr;
  }
  bool renewal_refused(const Match& m) const {
    const Event* tried = last_of(EventKind::kAttempt, m[1], incident_.end);
    return tried != nullptr && tried->detail == static_cast<std::uint8_t>(AttemptResult::kLost);
  }
  bool hold_together(const Match& m) const {
    const Event *one = last_of(EventKind::kBelieved, m[1], incident_.start),
                *two = last_of(EventKind::kBelieved, m[2], incident_.start);
    return one != nullptr && two != nullptr && one->token == std::stoull(m[3]) && two->token == one->token;
  }
  bool first_to_come(const Match& m) const {
    const Event* granted = last_of(EventKind::kGranted, m[1], incident_.end);
    return granted != nullptr && granted->at() >= incident_.end;
  }
  bool began_to_contend(const Match& m) const {
    const Event* started = last_of(EventKind::kStarted, m[1], incident_.start);
    const Event* asked = last_of(EventKind::kInvoked, m[1], incident_.start);
    return (started != nullptr && started->at() == incident_.start) ||
           (asked != nullptr && asked->at() == incident_.start);
  }
  bool refused_without_token(const Match& m) const {
    const std::uint64_t told = m[2] == "a write" ? 1 : std::stoull(m[2]);
    return writes(m[3], kNoToken) == told;
  }
  bool changed(const Match& m) const {
    std::uint64_t grants = 0;
    for (const Event& e : history_.events)
      grants += e.kind == EventKind::kGranted && e.at() >= incident_.start && e.at() <= incident_.end;
    return grants >= std::stoull(m[1]);
  }
  bool shorter(const Match&) const {
    return last(incident_.end, [&](const Event& e) {
             const Event* promised = last(e.at(), [&](const Event& g) {
               return (g.kind == EventKind::kGranted || g.kind == EventKind::kRenewed) && g.node == e.node;
             });
             return e.kind == EventKind::kExpired && promised != nullptr &&
                    e.at() < promised->at() + Duration(promised->a);
           }) != nullptr;
  }
  bool believed(const Match& m) const {
    if (m[1] == "it") return true;  // whose clock, or who was cut off: read by their own rules
    const Event* told = last_of(EventKind::kBelieved, m[1], incident_.start);
    const Event* over = last_of(EventKind::kDisbelieved, m[1], incident_.start);
    return told != nullptr && (over == nullptr || over < told || over->at() == incident_.start);
  }

  static std::int64_t ns(const std::string& seconds) { return std::llround(std::stod(seconds) * 1e9); }
  static bool about(Duration measured, const std::string& told) {
    return std::abs(measured.count() - ns(told)) <= 1'000'000;
  }
  // It stopped believing just then, for that reason and in that term.
  bool disbelieved(const std::string& who, DisbeliefReason reason, const std::string& token) const {
    const Event* over = last_of(EventKind::kDisbelieved, who, incident_.start);
    return over != nullptr && over->at() == incident_.start && over->detail == static_cast<std::uint8_t>(reason) &&
           over->token == (token.empty() ? kNoToken : std::stoull(token));
  }
  bool left_its_lead(const Match& m) const { return disbelieved(m[1], DisbeliefReason::kDisconnected, m[2]); }
  bool session_ended(const Match& m) const { return disbelieved(m[1], DisbeliefReason::kSession, m[2]); }
  // All of the second's writes with it, and one of the first's before.
  bool shared(const Match& m) const {
    const Token token = std::stoull(m[4]);
    const auto wrote = [&](const Event& e, const std::string& who) {
      return e.kind == EventKind::kWriteAccepted && e.token == token && history_.names.text(e.node) == who;
    };
    const std::uint64_t told = m[2] == "a write" ? 1 : std::stoull(m[2]);
    const auto count = std::count_if(history_.events.begin(), history_.events.end(), [&](const Event& e) {
      return wrote(e, m[3]) && e.at() >= incident_.start && e.at() <= incident_.end;
    });
    const Event* first = last(incident_.start, [&](const Event& e) { return wrote(e, m[5]); });
    return static_cast<std::uint64_t>(count) == told && first != nullptr;
  }
  bool watchdog_ended(const Match& m) const { return disbelieved(m[1], DisbeliefReason::kWatchdog, m[2]); }
  bool gave_up(const Match& m) const {
    const bool message = m[3] == "of a message";
    return disbelieved(m[1], message ? DisbeliefReason::kEvent : DisbeliefReason::kFailure, m[2]);
  }
  bool held_for_longer(const Match& m) const {
    const Event* held = last(incident_.start, [&](const Event& e) {
      return (e.kind == EventKind::kGranted || e.kind == EventKind::kRenewed) && e.node == incident_.contenders[0];
    });
    return held != nullptr && about(held->at() + Duration(held->a) - incident_.start, m[1]);
  }
  bool held_unknown(const Match& m) const {
    // It may have been granted to it again meanwhile; what ends it may be the next grant.
    const Event* granted = last(incident_.end, [&](const Event& e) {
      return e.kind == EventKind::kGranted && history_.names.text(e.mutex) == m[1].str() &&
             (e.at() < incident_.end || e.at() == incident_.start);
    });
    const Event* believed = last_of(EventKind::kBelieved, m[2], incident_.start);
    const Event* over = last_of(EventKind::kDisbelieved, m[2], incident_.start);
    return granted != nullptr && history_.names.text(granted->node) == m[2].str() &&
           granted->token == (m[3].length() == 0 ? kNoToken : std::stoull(m[3])) &&
           (believed == nullptr || (over != nullptr && over > believed));
  }
  bool down(const Match& m) const {
    const Event* crashed = last_of(EventKind::kCrashed, m[1], incident_.end);
    const Event* stopped = last_of(EventKind::kStopped, m[1], incident_.end);
    return crashed != nullptr || stopped != nullptr;
  }
  bool stepped_down(const Match& m) const {
    const Event* over = last_of(EventKind::kDisbelieved, m[1], incident_.start);
    return over != nullptr && over->at() == incident_.start;
  }
  bool not_answered(const Match& m) const {
    const Name name = named(m[1]);
    return last(incident_.end, [&](const Event& e) {
             return e.kind == EventKind::kAttempt && e.node == name && e.at() > incident_.start &&
                    e.at() < incident_.end && e.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
           }) == nullptr;
  }
  bool late(const Match& m) const {
    const Event* freed = last_of(EventKind::kReleased, m[1], incident_.start);
    const Event* granted = last_of(EventKind::kGranted, m[2], incident_.end);
    return freed != nullptr && granted != nullptr && freed->at() == incident_.start && granted->at() == incident_.end &&
           about(granted->at() - freed->at(), m[3]);
  }
  // Answered calls within the bounds, without the first of each contender after its start.
  template <class Test>
  std::uint64_t calls(TrueTime from, Test&& test) const {
    std::uint64_t count = 0;
    for (const Event& e : history_.events) {
      if (e.kind != EventKind::kAttempt || e.at() < from || e.at() > incident_.end || !test(e)) continue;
      const std::string who(history_.names.text(e.node));
      const Event* started = last_of(EventKind::kStarted, who, e.at());
      const Event* before = last(e.at(), [&](const Event& other) {
        return other.kind == EventKind::kAttempt && other.node == e.node && &other < &e;
      });
      count += before != nullptr && (started == nullptr || before > started);
    }
    return count;
  }
  bool crowd(const Match& m) const {
    const auto on = [&](const Event& e) { return history_.names.text(e.mutex) == m[2].str(); };
    const auto won = [&](const Event& e) {
      return on(e) && e.detail == static_cast<std::uint8_t>(AttemptResult::kWon);
    };
    return calls(incident_.start, on) == std::stoull(m[1]) && about(incident_.end - incident_.start, m[3]) &&
           calls(incident_.start, won) == (m[4] == "but one" ? 1U : 0U);
  }
  bool busy(const Match& m) const {
    const Name name = named(m[1]);
    const TrueTime from = incident_.end - std::chrono::seconds(1);
    return calls(from, [&](const Event& e) { return e.node == name; }) == std::stoull(m[2]);
  }
  bool mixed(const Match& m) const {
    const auto accepted = [&](const std::string& where, Token token, TrueTime from) {
      std::uint64_t count = 0;
      for (const Event& e : history_.events)
        count += (e.kind == EventKind::kWriteAccepted || e.kind == EventKind::kWriteStaleAccepted) &&
                 history_.names.text(Name{static_cast<std::uint32_t>(e.a)}) == where && e.token == token &&
                 e.at() >= from && e.at() <= incident_.end;
      return count;
    };
    return accepted(m[1], std::stoull(m[4]), incident_.start) == (m[2] == "a write" ? 1 : std::stoull(m[2])) &&
           accepted(m[5], std::stoull(m[6]), TrueTime{}) > 0;
  }

  const History& history_;
  const Incident& incident_;
};

}  // namespace

class CausesTest : public QObject {
  Q_OBJECT
 private slots:
  void everyCauseSaysWhatHappened_data() { every_scenario_fenced_and_unfenced(); }
  void everyCauseSaysWhatHappened() {
    QFETCH(QString, name);
    QFETCH(bool, fencing);
    for (const char* seed : {"seed=7", "seed=11", "seed=23"}) {
      const auto run = finished(scenario(name.toStdString(), {seed, fencing_is(fencing)}));
      for (const Incident& incident : run->history().incidents) {
        const QString wrong = Reading(run->history(), incident).wrong();
        QVERIFY2(wrong.isEmpty(),
                 qPrintable(QString("%1, %2 at %3: %4\n%5")
                                .arg(seed, QString::fromStdString(std::string(title(incident.kind))))
                                .arg(static_cast<double>(incident.start.time_since_epoch().count()) / 1e9)
                                .arg(wrong, QString::fromStdString(incident.cause))));
      }
      if (kSanitized) break;
    }
  }
};

LEASESCOPE_SUITE(CausesTest)
#include "causes_test.moc"
