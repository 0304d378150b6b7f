#include "simulator/observed/observed_scenario.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/fenced/fenced_terms.h"
#include "core/observe/watched_row.h"
#include "core/simba/contender_id.h"
#include "core/time/duration_text.h"
#include "simulator/scenario/scenario.h"

namespace leasescope {
namespace {

constexpr std::size_t kMostContenders = 1'000;
constexpr std::size_t kMostFaults = 100;  // pauses and releases: a reader still turns them by hand
constexpr Duration kLongest = std::chrono::hours(1);
constexpr int kLeastLeases = 10;
constexpr std::size_t kLongestName = 66;
constexpr std::string_view kUnnamed = "unseen";  // begins the names of those whose names were not seen
constexpr std::string_view kRoles[] = {"owner", "next", "waiters", "all", "resource", "store", "replica"};

// Within quotes of TOML; also of a comment, in which no control code may stand.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
      out += '?';
    else
      out += c;
  }
  return out + '"';
}

std::string shown(Duration d) { return format_duration(rounded(d)); }

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// ---- what is done in it: pauses, and releases by the owner, each at its moment

struct Deed {
  TrueTime at{};
  Duration length{};  // of a pause; zero: a release
  Duration until_granted{};
};

std::vector<Deed> deeds_of(const Estimate& of) {
  std::vector<Deed> out;
  for (const ObservedPause& pause : of.pauses) out.push_back({pause.at, pause.length, {}});
  for (std::size_t i = 0; i < of.released.size(); ++i)
    if (of.granted[i] != TrueTime::max()) out.push_back({of.released[i], {}, of.granted[i] - of.released[i]});
  std::stable_sort(out.begin(), out.end(), [](const Deed& a, const Deed& b) { return a.at < b.at; });
  return out;
}

class Writer {
 public:
  Writer(const ObservedMutex& mutex, const Estimate& of, const NameTable& names)
      : mutex_(mutex), of_(of), names_(names), simba_(mutex.system == "simba"), deeds_(deeds_of(of)) {}

  std::string text(TrueTime from) {
    choose_length(from);
    head();
    mutex();
    store();
    contenders();
    uses();
    faults(from);
    return std::move(out_);
  }

 private:
  // What is told of a part is that of its beginning: no pause is made rarer or more often than it was.
  void choose_length(TrueTime from) {
    const Duration lease = of_.lease.ttl + of_.lease.transition;
    length_ = std::min(of_.length, kLongest);
    if (deeds_.size() > kMostFaults) length_ = std::min(length_, deeds_[kMostFaults].at - from);
    deeds_.erase(
        std::remove_if(deeds_.begin(), deeds_.end(), [&](const Deed& deed) { return deed.at - from >= length_; }),
        deeds_.end());
    if (deeds_.size() > kMostFaults) deeds_.resize(kMostFaults);  // of one moment
    length_ = std::max(rounded(length_), kLeastLeases * lease);
  }

  std::string lease_said() const {
    const EstimatedLease& lease = of_.lease;
    if (lease.lease == LeaseKnown::kNot)
      return simba_ ? "no lease with an end was seen: ttl and transition are Simba's defaults"
                    : "no lease with an end was seen: the ttl is Simba's default";
    std::string out = lease.lease == LeaseKnown::kWhole
                          ? "the lease is as long as it was seen"
                          : "the lease was met in the middle and may be longer than it is here";
    if (!simba_) return out;  // of which its ttl is the whole
    switch (lease.split) {
      case SplitKnown::kByStore:
        return out + ", its transition likewise" + bound_said();
      case SplitKnown::kByRenewals:
        return out + ", and its ttl is the usual time from one renewal to the next" + bound_said();
      case SplitKnown::kNot:
        break;
    }
    return fmt::format(
        "{}, and ttl and transition are assumed to share it as 10 to 6: {}, and no two renewals were seen", out,
        lease.not_taken > Duration::zero() ? "no more than the transition was seen of it" : "the store does not tell");
  }

  std::string bound_said() const {
    return of_.lease.bounded ? ", or as near to that as a contender can still renew in time" : "";
  }

  std::string transition_said() const {
    const EstimatedLease& lease = of_.lease;
    switch (lease.split) {
      case SplitKnown::kByStore:
        return "as the store keeps it" + bound_said();
      case SplitKnown::kByRenewals:
        return "the lease less the ttl" + bound_said();
      case SplitKnown::kNot:
        break;
    }
    if (lease.lease == LeaseKnown::kNot) return "not observed; the default";
    if (lease.not_taken == Duration::zero()) return "not observed; 6 parts of 16 of the lease";
    return fmt::format("the store keeps {}, and no more was seen of the lease; 6 parts of 16 of what was",
                       shown(lease.not_taken));
  }

  void head() {
    std::string about = "Simulated after what was observed: " + lease_said();
    if (!mutex_.maker.empty())
      about +=
          fmt::format(". It is a {}: here it is contended for as Simba does, whose rules are others", mutex_.maker);
    if (of_.shared) about += ". Several held it beside each other: here one does";
    out_ += fmt::format("schema = 1\ntitle = {}\nabout = {}\nseed = 1\n",
                        toml_string("After what was seen of " + mutex_.name.substr(0, kLongestName)),
                        toml_string(about + ". Clocks are right: what they were is not observed."));
    out_ += fmt::format("# observed for {}\nduration = \"{}\"\n", shown(of_.length), format_duration(length_));
  }

  void mutex() {
    const EstimatedLease& lease = of_.lease;
    out_ += fmt::format("\n[mutex]\nname = {}\n", toml_string(name()));
    if (!simba_) out_ += fmt::format("system = {}\n", toml_string(mutex_.system));
    if (lease.lease == LeaseKnown::kNot)
      out_ += "# ttl: not observed; the default\n";
    else
      out_ +=
          fmt::format("# lease: {}, {} of {}\n", counted(lease.leases, "lease"),
                      lease.lease == LeaseKnown::kWhole ? "the longest" : "the rest of one that was met in the middle",
                      shown(lease.ttl + lease.transition));
    out_ += fmt::format("# from one renewal to the next: {}\n", sample_text(of_.renewals));
    if (of_.unsure > 0)
      out_ +=
          fmt::format("#   and {} between which another one may have been unseen, which are left out\n", of_.unsure);
    const Duration ttl = simba_                            ? lease.ttl
                         : lease.lease == LeaseKnown::kNot ? lease.ttl
                                                           : lease.ttl + lease.transition;
    out_ += fmt::format("ttl = \"{}\"\n", format_duration(ttl));
    if (!simba_) return;
    out_ +=
        fmt::format("# transition: {}\ntransition = \"{}\"\n", transition_said(), format_duration(lease.transition));
    out_ += "# jitter: not observed; the default\n";
  }

  // A lock of another maker may be called as no mutex of ours is.
  std::string name() const {
    std::string out = mutex_.name.substr(0, kLongestName);
    if (!validate_mutex_name(out)) out = "mutex";
    return out;
  }

  void store() {
    out_ += "\n[store]\n";
    const std::string model = fitting_model();
    out_ += !model.empty() ? fmt::format("model = \"{}\"\n", model) : "# model: none of its store's; the default\n";
    if (!of_.latency) {
      out_ += "# latency: not observed; the default\n";
    } else {
      out_ += fmt::format("# latency, one way: {}of {}; {}\n", of_.latency->spreads() ? "log-normal, " : "",
                          answers_said(), sample_text(of_.answers));
      if (!of_.latency->spreads()) out_ += "#   too few or too much alike for a spread\n";
      out_ += of_.latency->spreads()
                  ? fmt::format("latency = {{ median = \"{}\", p99 = \"{}\" }}\n", format_duration(of_.latency->median),
                                format_duration(of_.latency->p99))
                  : fmt::format("latency = \"{}\"\n", format_duration(of_.latency->median));
    }
    out_ += "# loss: not observed; none\n";
  }

  std::string_view answers_said() const {
    if (of_.answers_are_ways) return "answers";
    return of_.by == SeenBy::kContenders ? "renewals and their answers, both ways"
                                         : "the observer's own questions and their answers, both ways";
  }

  // That of its store, where the system is one that it answers.
  std::string fitting_model() const {
    Scenario plain;
    plain.mutex.system = mutex_.system;
    for (const std::string_view model : models_for(plain.family()))
      if (model == mutex_.model) return mutex_.model;
    return {};
  }

  void contenders() {
    std::vector<std::string> named;
    std::set<std::string> known;
    for (const Name name : of_.named) {
      const std::string text(names_.text(name));
      const std::string quoted = toml_string(text);
      const bool role = std::find(std::begin(kRoles), std::end(kRoles), text) != std::end(kRoles);
      const bool plain = quoted.find('?') == std::string::npos || text.find('?') != std::string::npos;
      if (role || !plain || text.starts_with(kUnnamed) || !validate_contender_id(text)) continue;
      if (named.size() < kMostContenders && known.insert(text).second) named.push_back(quoted);
    }
    const std::size_t count = std::clamp<std::size_t>(of_.contenders, 1, kMostContenders);
    if (named.size() > count) named.resize(count);
    out_ += fmt::format("\n[[contender]]\n# contenders: {} observed that held or wanted it{}\n", of_.contenders,
                        of_.contenders == 0                ? "; one, as no scenario has fewer"
                        : of_.contenders > kMostContenders ? "; so many as a reader can still tell apart"
                                                           : "");
    out_ += fmt::format("count = {}\n", count);
    if (!named.empty()) out_ += fmt::format("names = [{}]\n", fmt::join(named, ", "));
    if (named.size() < count)
      out_ += fmt::format("name = \"{}\"  # {} whose names were not seen, or are none here\n", kUnnamed,
                          count - named.size());
  }

  void uses() {
    out_ += fmt::format("\n# holding, from a grant to its release: {}\n", sample_text(of_.holding));
    out_ += fmt::format("# from a release to the next grant: {}\n", sample_text(of_.gaps));
    out_ += fmt::format("# hand-offs: {} observed; leases that ran out: {}{}\n", of_.handoffs, of_.ran_out,
                        of_.ran_out > 0 ? " (a crash, or a pause that outlasted the lease: not simulated)" : "");
    out_ += fmt::format("# pauses: {}", sample_text(of_.pause_lengths));
    if (!of_.pauses.empty())
      out_ += fmt::format(
          "; renewals that came more than {} later than usual.\n"
          "#   A pause, a lost message and a store that was slow once look alike from outside, and a "
          "pause is at least so long:\n#   what of it was before the renewal was due nobody sees",
          shown(of_.late));
    out_ += "\n";
    const std::size_t all = deeds_of(of_).size();
    if (deeds_.size() < all)
      out_ +=
          fmt::format("# of {} pauses and releases the first {}: the duration ends with them\n", all, deeds_.size());
  }

  void faults(TrueTime from) {
    const auto at = [&](Duration after) { return format_duration(std::max(rounded(after), Duration::zero())); };
    for (const Deed& deed : deeds_) {
      const Duration begin = deed.at - from;
      if (deed.length > Duration::zero()) {
        out_ += fmt::format("\n[[fault]]\nat = \"{}\"\nkind = \"pause\"\nduration = \"{}\"\n", at(begin),
                            shown(deed.length));
        continue;
      }
      // It contends again once somebody else has it.
      const Duration again = begin + std::max<Duration>(deed.until_granted, std::chrono::milliseconds(1));
      out_ += fmt::format("\n[[fault]]\nat = \"{}\"\nkind = \"stop\"\n", at(begin));
      out_ += fmt::format("\n[[fault]]\nat = \"{}\"\nkind = \"start\"\ntarget = \"all\"\n", at(again));
    }
  }

  const ObservedMutex& mutex_;
  const Estimate& of_;
  const NameTable& names_;
  const bool simba_;
  std::vector<Deed> deeds_;
  Duration length_{};
  std::string out_;
};

}  // namespace

std::string observed_scenario(const ObservedMutex& mutex, const Estimate& estimate, const NameTable& names) {
  return Writer(mutex, estimate, names).text(estimate.from);
}

std::string watched_scenario(const WatchedMutex& mutex, const History& seen, std::string_view model,
                             std::vector<Duration> round_trips, TrueTime from, TrueTime to) {
  const Sighting& last = mutex.book.last();
  ObservedMutex of{mutex.name, {}, std::string(last.system), std::string(model)};
  if (mutex.maker == kOwnMaker) {
    of.system = FencedTerms::kSystem;
  } else if (!mutex.maker.empty()) {
    of.maker = system_text(last);
    of.system = "simba";
  }
  to = std::min(to, seen.now);
  ObservedFacts facts;
  facts.transition = mutex.book.transition();
  facts.longest = mutex.book.longest();
  facts.waiters = std::max<std::size_t>(last.waiters.value_or(0), last.queue.size());
  facts.round_trips = std::move(round_trips);
  UseFold fold(mutex_titled(seen.names, mutex.shown).value_or(Name{}), SeenBy::kWatch, from);
  for (const Event& event : seen.events)
    if (event.at() <= to) fold.append(event, seen.names);
  return observed_scenario(of, estimate(fold.use(to), facts), seen.names);
}

}  // namespace leasescope
