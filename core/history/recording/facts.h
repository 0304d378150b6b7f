// What a recording says of its run in single words and numbers, by key: the table `fact`.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "core/history/recording/database.h"

namespace leasescope {

class FactWriter {
 public:
  virtual ~FactWriter() = default;

  virtual void put(std::string_view key, std::int64_t value) = 0;
  virtual void put(std::string_view key, std::string_view value) = 0;
  // All 64 bits, as a text in decimal digits.
  void put_unsigned(std::string_view key, std::uint64_t value) { put(key, std::string_view(std::to_string(value))); }
};

// Into that table of a file.
class FactTable final : public FactWriter {
 public:
  explicit FactTable(Database& database) : put_(database, "INSERT OR REPLACE INTO fact VALUES(?, ?)") {}

  void put(std::string_view key, std::int64_t value) override { put_.bind(key).bind(value).run(); }
  void put(std::string_view key, std::string_view value) override { put_.bind(key).bind(value).run(); }

 private:
  Statement put_;
};

using FactValue = std::variant<std::int64_t, std::string>;

// All of them, read at once. What is not of the kind that is asked for, or out of bounds, is told to `fail`.
class Facts {
 public:
  using Fail = std::function<void(std::string why)>;

  Facts(std::map<std::string, FactValue> facts, Fail fail) : fail_(std::move(fail)), facts_(std::move(facts)) {}
  // Of a file, which must outlive them and fails.
  explicit Facts(Database& database);

  std::optional<std::int64_t> number(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  std::int64_t number_or(const std::string& key, std::int64_t least, std::int64_t most, std::int64_t otherwise) const;
  std::string text_or_empty(const std::string& key) const { return text(key).value_or(std::string()); }
  std::uint64_t unsigned_or_zero(const std::string& key) const;
  bool has(const std::string& key) const { return facts_.count(key) > 0; }

 private:
  void wrong(const std::string& key, std::string_view expected) const;

  Fail fail_;
  std::map<std::string, FactValue> facts_;
};

}  // namespace leasescope
