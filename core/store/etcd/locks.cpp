#include "core/store/etcd/locks.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"

namespace leasescope::etcd {
namespace {

constexpr std::size_t kLongestOwner = 120;

bool is_within(const KeySpan& span, const std::string& key) {
  return key >= span.from && (key < span.to || span.to == std::string(1, '\0'));
}

auto find_in(std::vector<Candidate>& places, const std::string& key) {
  return std::find_if(places.begin(), places.end(), [&](const Candidate& each) { return each.key == key; });
}

}  // namespace

// As "%x" writes a lease of 63 bits.
std::optional<LinePlace> place_of(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return std::nullopt;
  const std::string_view digits = key.substr(slash + 1);
  LinePlace out{std::string(key.substr(0, slash)), 0};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.lease, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || out.lease <= 0) return std::nullopt;
  if (fmt::format("{:x}", out.lease) != digits) return std::nullopt;
  return out;
}

bool LockLine::is_election() const {
  return std::any_of(places.begin(), places.end(),
                     [](const Candidate& each) { return !each.first_value.value_or("").empty(); });
}

std::string LockLine::owner() const {
  if (places.empty()) return {};
  const Candidate& first = places.front();
  const std::string says = first.first_value.value_or("");
  return says.empty() ? fmt::format("lease {:x}", first.lease) : escaped(says, kLongestOwner);
}

std::optional<std::string> Locks::put(const KeyValue& now) { return put(now, now.value.substr(0, kLongestValue)); }

std::optional<std::string> Locks::put(const KeyValue& now, std::optional<std::string> value) {
  const auto place = place_of(now.key);
  if (!place) return std::nullopt;
  if (place->lease != now.lease)
    return take_out(now.key);  // of a key that does not go with that lease nothing is known
  auto known = lines_.find(place->lock);
  if (known == lines_.end()) {
    left_out_ = left_out_ || keys_ >= kMostKeys;
    if (left_out_) return std::nullopt;
    known = lines_.emplace(place->lock, LockLine{}).first;
    ++keys_;
  }
  std::vector<Candidate>& places = known->second.places;
  auto of = find_in(places, now.key);
  if (of != places.end() && of->created != now.created) {  // it went, and came again
    places.erase(of);
    --keys_;
    of = places.end();
  }
  if (of != places.end()) {
    if (!of->first_value) of->first_value = value;
    if (value || of->modified != now.modified) of->value = std::move(value);
    of->modified = now.modified;
    return place->lock;
  }
  left_out_ = left_out_ || keys_ >= kMostPlaces;
  if (keys_ >= kMostPlaces) return std::nullopt;
  const auto behind =
      std::upper_bound(places.begin(), places.end(), now.created,
                       [](std::int64_t created, const Candidate& each) { return created < each.created; });
  const std::optional<std::string> first = value;
  places.insert(behind, Candidate{now.key, now.created, now.modified, now.lease, std::move(value), first});
  ++keys_;
  return place->lock;
}

std::optional<std::string> Locks::erase(const std::string& key) { return take_out(key); }

std::optional<std::string> Locks::take_out(const std::string& key) {
  const auto place = place_of(key);
  const auto known = place ? lines_.find(place->lock) : lines_.end();
  if (known == lines_.end()) return std::nullopt;
  std::vector<Candidate>& places = known->second.places;
  const auto of = find_in(places, key);
  if (of == places.end()) return std::nullopt;
  places.erase(of);
  --keys_;
  return place->lock;
}

std::vector<std::string> Locks::replace(const KeySpan& span, const std::vector<KeyValue>& found) {
  std::set<std::string> changed, there;
  for (const KeyValue& each : found) there.insert(each.key);
  for (auto& [lock, line] : lines_) {
    std::vector<Candidate>& places = line.places;
    const auto gone = std::remove_if(places.begin(), places.end(), [&](const Candidate& each) {
      return is_within(span, each.key) && there.count(each.key) == 0;
    });
    if (gone != places.end()) changed.insert(lock);
    keys_ -= static_cast<std::size_t>(places.end() - gone);
    places.erase(gone, places.end());
    if (is_within(span, lock + "/0") || is_within(span, lock + "/f")) changed.insert(lock);
  }
  for (const KeyValue& each : found)
    if (const auto lock = put(each, std::nullopt)) changed.insert(*lock);
  return {changed.begin(), changed.end()};
}

void Locks::read_value(const KeyValue& now) {
  const auto place = place_of(now.key);
  const auto known = place ? lines_.find(place->lock) : lines_.end();
  if (known == lines_.end()) return;
  const auto of = find_in(known->second.places, now.key);
  // What is newer is told by the watch.
  if (of == known->second.places.end() || of->created != now.created || of->value) return;
  of->value = now.value.substr(0, kLongestValue);
  of->modified = now.modified;
  if (!of->first_value) of->first_value = of->value;
}

const LockLine& Locks::line(const std::string& lock) const {
  static const LockLine none;
  const auto found = lines_.find(lock);
  return found == lines_.end() ? none : found->second;
}

}  // namespace leasescope::etcd
