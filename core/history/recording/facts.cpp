#include "core/history/recording/facts.h"

#include <charconv>

#include <fmt/format.h>

namespace leasescope {

Facts::Facts(Database& database) : fail_([&database](std::string why) { database.fail(std::move(why)); }) {
  Statement all(database, "SELECT key, value, typeof(value) FROM fact");
  while (all.step()) {
    const std::string key = all.text(0);
    if (all.text(2) == "integer")
      facts_[key] = all.integer(1);
    else
      facts_[key] = all.text(1);
  }
}

void Facts::wrong(const std::string& key, std::string_view expected) const {
  fail_(fmt::format("is damaged: expected {} as its fact {}", expected, key));
}

std::optional<std::int64_t> Facts::number(const std::string& key) const {
  const auto found = facts_.find(key);
  if (found == facts_.end()) return std::nullopt;
  if (const auto* const value = std::get_if<std::int64_t>(&found->second)) return *value;
  wrong(key, "a number");
  return std::nullopt;
}

std::optional<std::string> Facts::text(const std::string& key) const {
  const auto found = facts_.find(key);
  if (found == facts_.end()) return std::nullopt;
  if (const auto* const value = std::get_if<std::string>(&found->second)) return *value;
  wrong(key, "a text");
  return std::nullopt;
}

std::int64_t Facts::number_or(const std::string& key, std::int64_t least, std::int64_t most,
                              std::int64_t otherwise) const {
  const std::int64_t value = number(key).value_or(otherwise);
  if (value >= least && value <= most) return value;
  wrong(key, fmt::format("a number from {} to {}", least, most));
  return otherwise;
}

std::uint64_t Facts::unsigned_or_zero(const std::string& key) const {
  const std::optional<std::string> written = text(key);
  if (!written) return 0;
  std::uint64_t value = 0;
  const char* const end = written->data() + written->size();
  const auto [stopped, error] = std::from_chars(written->data(), end, value);
  if (error != std::errc() || stopped != end) wrong(key, "a number in digits");
  return value;
}

}  // namespace leasescope
