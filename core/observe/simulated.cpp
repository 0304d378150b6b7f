#include "core/observe/simulated.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/observe/watched_row.h"
#include "core/time/duration_text.h"

namespace leasescope {
namespace {

using std::chrono::milliseconds;

constexpr Duration kTtl = std::chrono::seconds(10), kTransition = std::chrono::seconds(6);  // Simba's own
constexpr Duration kShortest = milliseconds(200);  // a lease that a contender still takes
constexpr Duration kStep = milliseconds(100);      // what was first seen of a lease is a little less than it was
constexpr std::size_t kLeast = 2, kMost = 1'000;
constexpr std::size_t kLongestName = 66;

Duration rounded_up(Duration length, Duration step) { return (length + step - Duration(1)) / step * step; }

struct Terms {
  Duration ttl = kTtl, transition = kTransition;
  std::string said;
};

Terms terms_of(const WatchedMutex& mutex) {
  const SeenMutex& book = mutex.book;
  Terms out;
  const Duration seen = std::max(book.longest(), book.length());
  if (seen <= Duration::zero()) {
    out.said = "no lease with an end was seen: ttl and transition are Simba's defaults";
    return out;
  }
  const Duration lease = std::max(kShortest, rounded_up(seen, kStep));
  const bool split = book.transition() > Duration::zero();
  out.transition = split ? std::min(lease - kShortest / 2, rounded_up(book.transition(), milliseconds(1)))
                         : lease * 6 / 16 / milliseconds(1) * milliseconds(1);
  out.ttl = lease - out.transition;
  out.said = book.longest() > Duration::zero() ? "the lease is as long as it was seen"
                                               : "the lease was met in the middle and may be longer than it is here";
  out.said += split ? ", its transition likewise"
                    : ", and ttl and transition are assumed to share it as 10 to 6: the store does not tell";
  return out;
}

// Who owned it, and who waits for it now.
std::size_t contenders_of(const WatchedMutex& mutex) {
  std::set<std::string> owners;
  for (const WatchedTerm& term : mutex.terms)
    if (!term.owner.empty()) owners.insert(term.owner);
  const std::size_t waiters =
      std::max<std::size_t>(mutex.book.last().waiters.value_or(0), mutex.book.last().queue.size());
  return std::clamp(std::max(owners.size(), waiters + 1), kLeast, kMost);
}

// Within quotes of TOML.
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

}  // namespace

std::string scenario_after(const WatchedMutex& mutex, const SimulatedFrom& from) {
  const Terms terms = terms_of(mutex);
  const bool foreign = !mutex.maker.empty();
  const bool simba = foreign || mutex.book.last().system == "simba";
  const Duration one_way = std::max(Duration(std::chrono::microseconds(1)), from.latency / 2);
  const std::string name = mutex.name.substr(0, kLongestName);
  std::string out = fmt::format("schema = 1\ntitle = {}\nabout = {}\nseed = 1\nduration = \"10 lease\"\n\n",
                                toml_string("After what was seen of " + name),
                                toml_string("Simulated after a watch: " + terms.said +
                                            (foreign ? fmt::format(". It is a {}: here it is contended for as Simba "
                                                                   "does, whose rules are others",
                                                                   system_text(mutex.book.last()))
                                                     : "") +
                                            ". Clocks are right and nothing goes wrong until faults are added."));
  out +=
      fmt::format("[mutex]\nname = {}\nttl = \"{}\"\n", toml_string(name), format_duration(simba ? terms.ttl : kTtl));
  if (simba) out += fmt::format("transition = \"{}\"\n", format_duration(terms.transition));
  if (!simba) out += fmt::format("system = {}\n", toml_string(mutex.book.last().system));
  out += fmt::format("\n[store]\nmodel = {}\nlatency = \"{}\"\n", toml_string(from.model),
                     format_duration(one_way / std::chrono::microseconds(1) * std::chrono::microseconds(1)));
  return out + fmt::format("\n[[contender]]\ncount = {}\n", contenders_of(mutex));
}

}  // namespace leasescope
