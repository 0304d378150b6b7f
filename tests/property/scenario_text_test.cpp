// A scenario's text and what it says are one: written out and read back it is the same, and one change in the text is
// that change and no other.
#include <rapidcheck.h>

#include <fmt/format.h>

#include "simulator/campaign/swarm.h"
#include "simulator/scenario/differences.h"
#include "simulator/scenario/fault_fields.h"
#include "simulator/scenario/form.h"
#include "simulator/scenario/overrides.h"
#include "simulator/scenario/reader.h"
#include "simulator/scenario/scenario_text.h"
#include "simulator/scenario/text_edit.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

Scenario read(const std::string& text) {
  auto scenario = read_scenario(text, "any.toml");
  if (!scenario) RC_FAIL(scenario.error().text() + "\n" + text);
  return *scenario;
}

std::string time(int from, int to) { return fmt::format("\"{}ms\"", *rc::gen::inRange(from, to)); }

// A fault of any kind that such a store can have, by what the kind declares.
std::string any_fault(const Scenario& of) {
  std::vector<const FaultKind*> kinds;
  for (const FaultKind& kind : all_fault_kinds())
    if (can_have(of.store, kind)) kinds.push_back(&kind);
  const FaultKind& kind = **rc::gen::elementOf(kinds);
  std::string out =
      fault_lines(of, kind, Duration(*rc::gen::inRange(1, 9'000'000)), Duration(*rc::gen::inRange(1, 9'000'000)),
                  *rc::gen::element<std::string>("owner", "c1"));
  if (kind.during_compute && *rc::gen::arbitrary<bool>()) out += "during = \"compute\"\n";
  if (*rc::gen::inRange(0, 3) == 0) out += "enabled = false\n";
  return out;
}

// With comments, blank lines and odd spaces, as people write.
std::string any_text() {
  std::string out = fmt::format(
      "# what it is\nschema   = 1\ntitle = \"any # \\\"é\\\"\"   # not a comment inside\nseed = {}\nduration = "
      "\"{}\"\n\n"
      "[mutex] # of all\nname = \"m\"\nttl = {}\ntransition = {}   # comment\njitter = [\"-{}ms\", {}]\n",
      *rc::gen::inRange(0, 1'000'000), *rc::gen::element<std::string>("100s", "9 lease + 3s"), time(300, 6'000),
      time(0, 3'000), *rc::gen::inRange(0, 200), time(1, 900));
  out += fmt::format("[store]\nmodel = \"{}\"\nloss = 0.0{}\nlatency = {{ uniform = [{}, \"2s\"] }}\n",
                     *rc::gen::element<std::string>("redis", "sql"), *rc::gen::inRange(0, 10), time(0, 9));
  if (*rc::gen::arbitrary<bool>()) out += fmt::format("# the store's\nclock = {{ offset = {} }}\n", time(-50, 50));
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
    out +=
        fmt::format("\n  [[contender]]  # {0}\n  name = \"c{0}\"\n  behaviour = \"{1}\"\n  count = {2}\n", i,
                    *rc::gen::element<std::string>("leasescope", "4.x", "3.1"), i == 1 ? 1 : *rc::gen::inRange(2, 9));
  if (*rc::gen::arbitrary<bool>()) out += "[[resource]]\nfencing = false\ntokenless = \"accept\"\n";
  const Scenario of = read(out);
  for (int faults = *rc::gen::inRange(0, 5); faults > 0; --faults)
    out += "\n# why\n[[fault]]\n" + any_fault(of) + (*rc::gen::arbitrary<bool>() ? "# behind\n" : "");
  if (*rc::gen::arbitrary<bool>())
    out += fmt::format(
        "\n# what comes of it\n[expect]\ndouble_grants = {}\n\"incidents.belief_overlap\" = \">= 1\"\n"
        "[expect.unfenced]\nstale_writes_accepted = true\n",
        *rc::gen::inRange(0, 3));
  RC_LOG() << out;
  return out;
}

std::vector<std::string> comments(const std::string& text) {
  std::vector<std::string> out;
  for (const char* each : {"# what it is", "# of all", "# comment", "# the store's", "# what comes of it"})
    if (text.find(each) != std::string::npos) out.emplace_back(each);
  return out;
}

void keeps_comments(const std::string& before, const std::string& after) {
  for (const std::string& comment : comments(before)) RC_ASSERT(after.find(comment) != std::string::npos);
}

struct Change {
  std::string path, value;
};
Change any_change(const Scenario& of) {
  std::vector<Change> all{{"seed", "7"},
                          {"about", "\"why\""},
                          {"mutex.ttl", "\"4s\""},
                          {"mutex.jitter", "[\"-1ms\", \"5ms\"]"},
                          {"mutex.initial_delay", "\"3ms\""},
                          {"store.timeout", "\"700ms\""},
                          {"store.latency", "{ median = \"1ms\", p99 = \"9ms\" }"},
                          {"store.clock", "{ offset = \"4ms\", drift_ppm = 3 }"},
                          {"store.clock.drift_ppm", "5"},
                          {"store.redis.persistence", "false"},
                          {"contender.0.callback", "\"3ms\""},
                          {"contender.0.clock", "{ offset = \"4ms\" }"},
                          {"resource.0.write_every", "\"50ms\""},
                          {"resource.0.latency", "\"1ms\""},
                          {"expect.acquisitions", "3"},
                          {"expect.enabled", "false"},
                          {"expect.handoffs", "\">= 1\""}};
  if (of.store.model == "sql")
    std::erase_if(all, [](const Change& change) { return change.path.find("redis") != std::string::npos; });
  for (std::size_t i = 0; i < of.faults.size(); ++i)
    for (const char* field : {"at", "duration"})
      if (field[0] == 'a' || find_fault_kind(of.faults[i].kind)->lasts)
        all.push_back({fmt::format("fault.{}.{}", i, field), "\"1 lease\""});
  return *rc::gen::elementOf(all);
}

}  // namespace

class ScenarioTextProperties : public QObject {
  Q_OBJECT
 private slots:
  void writtenOutAndReadBackItIsTheSame() {
    QVERIFY(rc::check([] {
      Scenario of = read(any_text());
      Scenario again = read(scenario_text(of));
      for (FaultTable& row : of.faults) row.line = 0;
      for (FaultTable& row : again.faults) row.line = 0;
      RC_ASSERT(again == of);
      RC_ASSERT(differences(of, again).empty());
    }));
  }
  void aValueThatIsSetInTheTextIsSetAndNothingElseIs() {
    QVERIFY(rc::check([] {
      const std::string before = any_text();
      const Change change = any_change(read(before));
      const EditedText after = set_in_text(before, text_path(change.path), change.value);
      if (!after) RC_FAIL(change.path + ": " + after.error());
      RC_LOG() << change.path << " = " << change.value << "\n" << *after;
      const auto wanted = read_scenario(before, "any.toml", {change.path + "=" + change.value});
      if (!wanted) RC_FAIL(wanted.error().text());
      RC_ASSERT(same_run(read(*after), *wanted));
      keeps_comments(before, *after);
      // Taken out again it is as if nobody had said so.
      const EditedText out = remove_from_text(*after, text_path(change.path));
      RC_ASSERT(out.has_value());
      if (before.find(change.path.substr(change.path.rfind('.') + 1) + " =") == std::string::npos)
        RC_ASSERT(scenario_text(read(*out)) == scenario_text(read(before)));
    }));
  }
  void aRowThatIsAddedAndTakenOutLeavesTheTextAsItWas() {
    QVERIFY(rc::check([] {
      const std::string before = any_text();
      const Scenario of = read(before);
      const std::string row = any_fault(of);
      const EditedText more = add_table_to_text(before, "fault", row);
      if (!more) RC_FAIL(more.error());
      RC_ASSERT(read(*more).faults.size() == of.faults.size() + 1);
      keeps_comments(before, *more);
      const EditedText again = remove_table_from_text(*more, "fault", of.faults.size());
      if (!again) RC_FAIL(again.error());
      RC_ASSERT(same_run(read(*again), of));
      keeps_comments(before, *again);
      if (of.faults.empty()) return;
      const std::size_t gone = *rc::gen::inRange<std::size_t>(0, of.faults.size());
      const EditedText less = remove_table_from_text(before, "fault", gone);
      if (!less) RC_FAIL(less.error());
      Scenario wanted = of;
      wanted.faults.erase(wanted.faults.begin() + static_cast<std::ptrdiff_t>(gone));
      RC_ASSERT(same_run(read(*less), wanted));
    }));
  }
  void whatAnotherSaysOtherwiseIsSaidBySettings() {
    QVERIFY(rc::check([] {
      const std::string before = any_text();
      std::string after = before;
      for (int changes = *rc::gen::inRange(0, 4); changes > 0; --changes) {
        // What has a header of its own by now is no value any more, and is refused.
        const Change change = any_change(read(after));
        after = set_in_text(after, text_path(change.path), change.value).value_or(after);
      }
      if (*rc::gen::arbitrary<bool>()) after = *add_table_to_text(after, "fault", any_fault(read(after)));
      if (*rc::gen::arbitrary<bool>() && !read(after).faults.empty())
        after = *remove_table_from_text(after, "fault", 0);
      const auto settings = settings_for(read(after), before, "any.toml");
      if (!settings) RC_FAIL(settings.error() + "\n" + after);
      RC_ASSERT(same_run(*read_scenario(before, "any.toml", *settings), read(after)));
    }));
  }
};

LEASESCOPE_SUITE(ScenarioTextProperties)
#include "scenario_text_test.moc"
