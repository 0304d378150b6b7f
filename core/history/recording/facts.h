// What a recording says of its run in single words and numbers: the table `fact`, by key.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/history/recording/database.h"

namespace leasescope {

class FactWriter {
 public:
  explicit FactWriter(Database& database) : put_(database, "INSERT OR REPLACE INTO fact VALUES(?, ?)") {}

  void put(std::string_view key, std::int64_t value) { put_.bind(key).bind(value).run(); }
  void put(std::string_view key, std::string_view value) { put_.bind(key).bind(value).run(); }
  // All 64 bits, as a text in decimal digits.
  void put_unsigned(std::string_view key, std::uint64_t value) { put(key, std::to_string(value)); }

 private:
  Statement put_;
};

// All of them, read at once. What is not of the kind that is asked for, or out of bounds, fails the database.
class Facts {
 public:
  explicit Facts(Database& database);

  std::optional<std::int64_t> number(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  std::int64_t number_or(const std::string& key, std::int64_t least, std::int64_t most, std::int64_t otherwise) const;
  std::string text_or_empty(const std::string& key) const { return text(key).value_or(std::string()); }
  std::uint64_t unsigned_or_zero(const std::string& key) const;
  bool has(const std::string& key) const { return facts_.count(key) > 0; }

 private:
  void wrong(const std::string& key, std::string_view expected) const;

  Database& database_;
  std::map<std::string, std::variant<std::int64_t, std::string>> facts_;
};

}  // namespace leasescope
