#include "core/history/recording/offset_between.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

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

OffsetBounds allowed(const Event& a, const Event& b, Duration b_after_a) {
  return {b.lo - a.hi + b_after_a, b.hi - a.lo + b_after_a};
}

std::string milliseconds(double ns) { return fmt::format("{:.{}f} ms", ns / 1e6, ns >= 10e6 ? 0 : 3); }

}  // namespace

std::optional<ClockOffset> agreed_offset(const std::vector<OffsetBounds>& all) {
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
  ClockOffset out;
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

std::vector<OffsetBounds> shared_bounds(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a) {
  std::vector<OffsetBounds> out;
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

std::optional<ClockOffset> offset_between(const ObservedAccount& a, const ObservedAccount& b, Duration b_after_a) {
  return agreed_offset(shared_bounds(a, b, b_after_a));
}

std::string offset_text(const OffsetBounds& bounds, const std::string& whose) {
  const auto lo = static_cast<double>(bounds.lo.count()), hi = static_cast<double>(bounds.hi.count());
  const double middle = lo / 2 + hi / 2;
  return fmt::format("{} ± {} {} {}", milliseconds(std::abs(middle)), milliseconds((hi - lo) / 2),
                     middle < 0 ? "behind" : "ahead of", whose);
}

}  // namespace leasescope
