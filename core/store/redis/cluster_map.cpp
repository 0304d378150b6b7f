#include "core/store/redis/cluster_map.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tuple>
#include <utility>

#include "core/store/url_text.h"

namespace leasescope::redis {
namespace {

std::uint16_t crc16(std::string_view text) {
  constexpr unsigned kPolynomial = 0x1021, kTop = 0x8000;
  unsigned out = 0;
  for (const char c : text) {
    out ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8U;
    for (int bit = 0; bit < 8; ++bit) out = (out & kTop) != 0 ? (out << 1U) ^ kPolynomial : out << 1U;
  }
  return static_cast<std::uint16_t>(out);
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view rest = url_text::cut_behind(list, ',');
    if (list == word) return true;
    list = rest;
  }
  return false;
}

// "127.0.0.1:6381@16381,name.of.host,shard-id=…"; an address may have colons of its own, and be missing.
std::optional<Endpoint> read_server(std::string_view where, const Endpoint& from, bool by_name) {
  std::string_view names = url_text::cut_behind(where, ',');
  url_text::cut_behind(where, '@');
  url_text::cut_behind(names, ',');
  const std::size_t colon = where.rfind(':');
  Endpoint out = from;
  if (colon == std::string_view::npos || !url_text::parse_number(where.substr(colon + 1), 65535, out.port)) return {};
  if (colon > 0) out.host = std::string(where.substr(0, colon));
  if (by_name && !names.empty() && names.find('=') == std::string_view::npos) out.host = std::string(names);
  out.unix_path.clear();
  return out;
}

// "5461-10922", "42"; "[93->-…]" is of a slot that is on its way: until it has moved it is where it was.
bool take_slots(std::string_view words, SlotSet& into) {
  while (!words.empty()) {
    const std::string_view rest = url_text::cut_behind(words, ' ');
    std::string_view first = std::exchange(words, rest);
    if (first.empty() || first.front() == '[') continue;
    const std::string_view last = url_text::cut_behind(first, '-');
    int from = 0, to = 0;
    constexpr int kLast = static_cast<int>(kSlots) - 1;
    if (!url_text::parse_number(first, kLast, from)) return false;
    if (!url_text::parse_number(last.empty() ? first : last, kLast, to)) return false;
    for (int i = from; i <= to; ++i) into.set(static_cast<std::size_t>(i));
  }
  return true;
}

// "<id> <where> <flags> <its master> <pinged> <ponged> <epoch> <link> <slots>…"; false: it is no such line.
bool take_node(std::string_view line, const Endpoint& from, bool by_name, ClusterMap& out) {
  std::string_view words[8];
  for (std::string_view& word : words) {
    const std::string_view rest = url_text::cut_behind(line, ' ');
    word = std::exchange(line, rest);
  }
  const auto& [id, where, flags, master, pinged, ponged, epoch, link] = words;
  if (link != "connected" && link != "disconnected") return false;
  if (!has_word(flags, "master") || has_word(flags, "noaddr")) return true;
  const auto server = read_server(where, from, by_name);
  ClusterMaster made{std::string(id), has_word(flags, "myself") ? from : server.value_or(Endpoint{}), {}};
  if (!server || !take_slots(line, made.kept)) return false;
  std::uint64_t since = 0;
  if (const auto [end, error] = std::from_chars(epoch.data(), epoch.data() + epoch.size(), since); error != std::errc())
    return false;
  out.epoch = std::max(out.epoch, since);
  if (made.kept.any()) out.masters.push_back(std::move(made));
  return true;
}

}  // namespace

std::size_t slot_of(std::string_view key) {
  const std::size_t open = key.find('{');
  const std::size_t close = open == std::string_view::npos ? open : key.find('}', open + 1);
  if (close != std::string_view::npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
  return crc16(key) % kSlots;
}

std::optional<ClusterMap> read_cluster(std::string_view answer, const Endpoint& from, bool by_name) {
  ClusterMap out;
  while (!answer.empty()) {
    const std::string_view rest = url_text::cut_behind(answer, '\n');
    std::string_view line = std::exchange(answer, rest);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (!line.empty() && !take_node(line, from, by_name, out)) return std::nullopt;
  }
  if (out.masters.empty()) return std::nullopt;
  std::sort(out.masters.begin(), out.masters.end(), [](const ClusterMaster& a, const ClusterMaster& b) {
    return std::tie(a.server.host, a.server.port) < std::tie(b.server.host, b.server.port);
  });
  return out;
}

}  // namespace leasescope::redis
