#include "core/history/recording/offset_between.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace leasescope {
namespace {

using Term = std::tuple<std::uint32_t, std::uint32_t, Token>;  // mutex, owner, token

// Those that are there once; null: more than once, so that nobody knows which is meant.
std::map<Term, const ToldStretch*> terms_of(const ObservedAccount& account) {
  std::map<Term, const ToldStretch*> out;
  for (const ToldMutex& of : account.mutexes())
    for (const ToldStretch& each : of.stretches) {
      if (each.what != ToldStretch::What::kHold) continue;
      const auto [found, is_new] =
          out.try_emplace(Term{of.mutex.handle, each.begin.node.handle, each.begin.token}, &each);
      if (!is_new) found->second = nullptr;
    }
  return out;
}

// By so much at most two clocks go apart in that time.
Duration gone_apart(Duration in) {
  constexpr std::int64_t kMillion = 1'000'000, kPpm = 2 * kClockTolerancePpm;
  if (in <= Duration{}) return {};
  return Duration(in.count() / kMillion * kPpm + in.count() % kMillion * kPpm / kMillion + 1);
}

// As it was at a.hi, whenever between a's bounds it happened.
SharedBounds allowed(const Event& a, const Event& b, Duration b_after_a) {
  const Duration since = gone_apart(a.hi - a.lo);
  return {a.hi, {b.lo - a.hi + b_after_a - since, b.hi - a.lo + b_after_a + since}};
}

// The offset was not less than `least` at that moment.
struct Least {
  TrueTime at;
  Duration least;
};

// Of one at least: what it was not less than at any moment between those two. At each moment the one counts that says
// most of it.
Duration least_between(std::vector<Least> all, TrueTime from, TrueTime to) {
  std::sort(all.begin(), all.end(), [](const Least& a, const Least& b) { return a.at < b.at; });
  const auto reaches = [](const Least& a, Least& b) {
    const Duration apart = b.at > a.at ? b.at - a.at : a.at - b.at;
    b.least = std::max(b.least, a.least - gone_apart(apart));
  };
  for (std::size_t i = 1; i < all.size(); ++i) reaches(all[i - 1], all[i]);
  for (std::size_t i = all.size() - 1; i > 0; --i) reaches(all[i], all[i - 1]);
  const Least &first = all.front(), &last = all.back();
  Duration out = std::min(first.least - gone_apart(first.at - from), last.least - gone_apart(to - last.at));
  // Somewhere between two of them neither says more than the other.
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Duration both = all[i - 1].least + all[i].least - gone_apart(all[i].at - all[i - 1].at);
    out = std::min(out, Duration((both.count() - 1) / 2 - 1));
  }
  return out;
}

// By those events that allow either bound.
OffsetBounds always_true(const OffsetBounds& agreed, const std::vector<SharedBounds>& all, TrueTime from, TrueTime to) {
  std::vector<Least> least, less;  // of the offset, and of what it is the other way round
  for (const auto& [at, bounds] : all) {
    if (bounds.lo <= agreed.lo && agreed.lo <= bounds.hi) least.push_back({at, bounds.lo});
    if (bounds.lo <= agreed.hi && agreed.hi <= bounds.hi) less.push_back({at, -bounds.hi});
  }
  return {least_between(std::move(least), from, to), -least_between(std::move(less), from, to)};
}

std::string milliseconds(double ns) { return fmt::format("{:.{}f} ms", ns / 1e6, ns >= 10e6 ? 0 : 3); }

}  // namespace

std::optional<AgreedOffset> agreed_offset(const std::vector<OffsetBounds>& all) {
  struct Edge {
    Duration at;
    bool ends;
  };
  std::vector<Edge> edges;
  for (const OffsetBounds& each : all) {
    if (each.lo > each.hi) continue;
    edges.push_back({each.lo, false});
    edges.push_back({each.hi, true});
  }
  if (edges.empty()) return {};
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.at != b.at ? a.at < b.at : !a.ends && b.ends; });
  AgreedOffset out;
  out.shared = all.size();
  std::size_t now = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i].ends) {
      --now;
      continue;
    }
    ++now;
    if (now < out.agree) continue;
    if (now > out.agree) out.bounds.lo = edges[i].at;
    out.agree = now;
    out.bounds.hi = edges[i + 1].at;  // the last edge is an end
  }
  return out;
}

std::vector<SharedBounds> shared_bounds(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a) {
  std::vector<SharedBounds> out;
  const auto theirs = terms_of(b);
  for (const auto& [term, of_a] : terms_of(a)) {
    const auto found = theirs.find(term);
    if (of_a == nullptr || found == theirs.end() || found->second == nullptr) continue;
    const ToldStretch& of_b = *found->second;
    if (!of_a->met && !of_b.met) out.push_back(allowed(of_a->begin, of_b.begin, b_after_a));
    if (of_a->end && of_b.end) out.push_back(allowed(*of_a->end, *of_b.end, b_after_a));
  }
  return out;
}

std::optional<AgreedOffset> offset_between(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a) {
  const std::vector<SharedBounds> shared = shared_bounds(a, b, b_after_a);
  std::vector<OffsetBounds> all;
  all.reserve(shared.size());
  for (const SharedBounds& each : shared) all.push_back(each.bounds);
  std::optional<AgreedOffset> out = agreed_offset(all);
  if (!out) return {};
  // When b began and ended, by a's clock, at the earliest and at the latest.
  const Duration apart = gone_apart(b.now() - b.begin());
  const TrueTime from = b.begin() + b_after_a - out->bounds.hi - apart;
  const TrueTime to = b.now() + b_after_a - out->bounds.lo + apart;
  out->bounds = always_true(out->bounds, shared, from, to);
  return out;
}

std::string offset_text(const OffsetBounds& bounds, const std::string& whose) {
  const auto lo = static_cast<double>(bounds.lo.count()), hi = static_cast<double>(bounds.hi.count());
  const double middle = lo / 2 + hi / 2;
  return fmt::format("{} ± {} {} {}", milliseconds(std::abs(middle)), milliseconds((hi - lo) / 2),
                     middle < 0 ? "behind" : "ahead of", whose);
}

}  // namespace leasescope
