// Statements with their values, and the rows that answer them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

typedef struct pg_result PGresult;

namespace leasescope::team {

struct SqlValue {
  std::optional<std::string> text;  // none: null
  bool bytes = false;               // as they are: of a bytea

  SqlValue(std::int64_t number) : text(std::to_string(number)) {}
  SqlValue(std::string words) : text(std::move(words)) {}
  SqlValue(std::optional<std::int64_t> number) : text(number ? std::optional(std::to_string(*number)) : std::nullopt) {}
  static SqlValue of_bytes(std::string_view some) {
    SqlValue out{std::string(some)};
    out.bytes = true;
    return out;
  }
  static SqlValue of(bool yes) { return SqlValue(std::string(yes ? "true" : "false")); }
};

// Many values in one: what unnest() takes apart again.
class SqlArray {
 public:
  void add(std::int64_t number);
  void add_yes(bool yes);
  void add_text(std::string_view text);  // UTF-8, without a zero byte
  void add_bytes(std::string_view bytes);
  void add_nothing();

  std::size_t size() const { return size_; }
  SqlValue value() const { return SqlValue(text_ + "}"); }

 private:
  void begin();

  std::string text_ = "{";
  std::size_t size_ = 0;
};

struct SqlCall {
  const char* sql;  // of static storage: it is prepared once a connection
  std::vector<SqlValue> values;
  // So many rows are to be changed; none: it does not matter.
  std::optional<std::int64_t> rows;
  // What is run with the same values where fewer were.
  const char* otherwise = nullptr;
};

// The answer to one statement.
class SqlRows {
 public:
  explicit SqlRows(PGresult* result) : result_(result) {}

  int size() const;
  std::int64_t changed() const;  // by an insert, an update or a delete
  bool has(int row, int column) const;
  std::string_view text(int row, int column) const;
  std::string bytes(int row, int column) const;
  std::int64_t number(int row, int column) const;  // 0: it is none
  std::optional<std::int64_t> number_if_any(int row, int column) const;
  bool yes(int row, int column) const { return text(row, column) == "t"; }
  std::vector<std::int64_t> numbers(int row, int column) const;  // of an array of them

 private:
  struct Free {
    void operator()(PGresult* result) const;
  };
  std::unique_ptr<PGresult, Free> result_;
};

}  // namespace leasescope::team
