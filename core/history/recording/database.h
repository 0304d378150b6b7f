// One SQLite file: opened, asked, and its errors told with the file's name and what to do about them.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

struct sqlite3;
struct sqlite3_stmt;

namespace leasescope {

class Database;

// One prepared statement. After an error of its database it does nothing any more and has no rows.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // The next value, from the first on; of what is bound as text or bytes the caller keeps hold until run() or step().
  Statement& bind(std::int64_t value);
  Statement& bind(std::string_view text);
  Statement& bind_bytes(std::string_view bytes);
  Statement& bind_nothing();
  // Runs it to its end; it can be bound anew.
  bool run();
  // To the next row; false when there is none.
  bool step();

  // ---- of the row, from column 0. What is not of that type fails the database, and is 0 or empty.
  std::int64_t integer(int column);
  // Within these bounds, or the database fails.
  std::int64_t integer(int column, std::int64_t least, std::int64_t most);
  std::optional<std::int64_t> integer_or_nothing(int column);
  std::string text(int column);
  std::string_view bytes(int column);  // good until the next step

 private:
  void wrong(int column, std::string_view expected);

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

// The first error stays, and nothing is done after it: whoever asks for much looks once, at the end.
class Database {
 public:
  enum class Mode : std::uint8_t {
    kCreate,      // a new one, or one of no bytes
    kChange,      // one that is there
    kRead,        // likewise; nothing of it is changed
    kReadFrozen,  // likewise, of which nobody writes: also where its folder may not be written to
  };
  static tl::expected<std::unique_ptr<Database>, std::string> open(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  bool run(const char* sql);
  // The one number that it answers with.
  std::int64_t number(const char* sql);
  void fail(std::string why);  // "FILE: why"
  bool failed() const { return !error_.empty(); }
  const std::string& error() const { return error_; }
  // It failed because another program holds the file: another time the same may go well.
  bool is_held() const { return held_; }
  const std::string& path() const { return path_; }

 private:
  friend class Statement;
  explicit Database(std::string path) : path_(std::move(path)) {}
  void fail_by_code(int code);

  std::string path_;
  sqlite3* handle_ = nullptr;
  std::string error_;
  bool held_ = false;
};

}  // namespace leasescope
