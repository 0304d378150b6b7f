#include "core/history/recording/database.h"

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace leasescope {
namespace {

// Nothing that we write is longer; what somebody else wrote there must not fill the memory.
constexpr int kLongest = 64 << 20;
constexpr int kPatienceMs = 2'000;  // with another program that holds it

// Absolute, so that no name means anything but a file.
std::string name_of(const std::string& path, bool frozen) {
  std::string absolute = std::filesystem::absolute(path).string();
  if (!frozen) return absolute;
  std::string out = "file:";
  for (const char c : absolute)
    out += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  return out + "?immutable=1";
}

int flags_of(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::kChange:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::kRead:
      return SQLITE_OPEN_READONLY;
    case Database::Mode::kReadFrozen:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return 0;
}

bool is_of_room(int reason) { return reason == ENOSPC || reason == EFBIG || reason == EDQUOT; }

// What the system said. SQLite keeps it not always, and the last error of all may be one that did not matter.
int reason_of(sqlite3* handle, int last) {
  const int kept = sqlite3_system_errno(handle);
  if (kept != 0) return kept;
  return is_of_room(last) || last == EIO || last == EROFS ? last : 0;
}

// What went wrong, and what to do.
std::string words_of(int code, const char* said, int reason) {
  const std::string system = reason != 0 ? std::strerror(reason) : said;
  const auto no_room = [](const std::string& why) {
    return fmt::format("could not be written any further: {}: make room, or write elsewhere", why);
  };
  switch (code & 0xff) {
    case SQLITE_FULL:
      return no_room(is_of_room(reason) ? system : "it may not grow, or the disk is full");
    case SQLITE_IOERR:
      if (is_of_room(reason)) return no_room(system);
      return fmt::format("could not be read or written: {}: look at its disk and its limits", system);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "is held by another program: let that end, and try again";
    case SQLITE_CANTOPEN:
      return fmt::format("cannot be opened: {}", system);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "may not be written to: expected a file and a folder of yours";
    case SQLITE_NOTADB:
      return "is no recording: expected a file that run --record wrote";
    case SQLITE_CORRUPT:
      return fmt::format("is damaged ({}): recording export writes what can still be read of it", said);
    case SQLITE_TOOBIG:
      return "is damaged (a value is longer than any that is written)";
    default:
      return fmt::format("cannot be used as a recording: {}", said);
  }
}

}  // namespace

// ---- a statement

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (database_.failed()) return;
  const int code = sqlite3_prepare_v2(database_.handle_, sql, -1, &statement_, nullptr);
  if (code != SQLITE_OK) database_.fail_by_code(code);
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::int64_t value) {
  if (statement_ != nullptr) sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  // An empty view may point nowhere, which would be no text at all.
  if (statement_ != nullptr)
    sqlite3_bind_text64(statement_, ++bound_, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_bytes(std::string_view bytes) {
  if (statement_ != nullptr)
    sqlite3_bind_blob64(statement_, ++bound_, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_nothing() {
  if (statement_ != nullptr) sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

bool Statement::run() {
  while (step()) {
  }
  return !database_.failed();
}

bool Statement::step() {
  if (statement_ == nullptr || database_.failed()) return false;
  errno = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail_by_code(code);
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  bound_ = 0;
  return false;
}

void Statement::wrong(int column, std::string_view expected) {
  database_.fail(fmt::format("is damaged: expected {} in column {} of the answer to \"{}\"", expected, column,
                             statement_ == nullptr ? "" : sqlite3_sql(statement_)));
}

std::int64_t Statement::integer(int column) {
  if (statement_ != nullptr && sqlite3_column_type(statement_, column) == SQLITE_INTEGER)
    return sqlite3_column_int64(statement_, column);
  wrong(column, "a whole number");
  return 0;
}

std::int64_t Statement::integer(int column, std::int64_t least, std::int64_t most) {
  const std::int64_t value = integer(column);
  if (value >= least && value <= most) return value;
  wrong(column, fmt::format("a number from {} to {}, not {},", least, most, value));
  return least;
}

std::optional<std::int64_t> Statement::integer_or_nothing(int column) {
  if (statement_ == nullptr || sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return integer(column);
}

std::string Statement::text(int column) {
  if (statement_ == nullptr || sqlite3_column_type(statement_, column) != SQLITE_TEXT) {
    wrong(column, "a text");
    return {};
  }
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return text == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(text), size);
}

std::string_view Statement::bytes(int column) {
  if (statement_ == nullptr || sqlite3_column_type(statement_, column) != SQLITE_BLOB) {
    wrong(column, "bytes");
    return {};
  }
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

// ---- the file

tl::expected<std::unique_ptr<Database>, std::string> Database::open(const std::string& path, Mode mode) {
  std::unique_ptr<Database> out(new Database(path));
  const std::string name = name_of(path, mode == Mode::kReadFrozen);
  const int code = sqlite3_open_v2(name.c_str(), &out->handle_, flags_of(mode) | SQLITE_OPEN_EXRESCODE, nullptr);
  if (code != SQLITE_OK) {
    out->fail_by_code(code);
    return tl::make_unexpected(out->error_);
  }
  sqlite3_busy_timeout(out->handle_, kPatienceMs);
  sqlite3_limit(out->handle_, SQLITE_LIMIT_LENGTH, kLongest);
  // A file of a stranger may bring views and triggers along: none of them is to do anything.
  sqlite3_db_config(out->handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(out->handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(out->handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(out->handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  out->run("PRAGMA cell_size_check = ON");
  if (out->failed()) return tl::make_unexpected(out->error_);
  return out;
}

Database::~Database() { sqlite3_close_v2(handle_); }

bool Database::run(const char* sql) {
  if (failed()) return false;
  errno = 0;
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail_by_code(code);
  return !failed();
}

std::int64_t Database::number(const char* sql) {
  Statement statement(*this, sql);
  if (statement.step()) return statement.integer(0);
  if (!failed()) fail(fmt::format("is damaged: there is no answer to \"{}\"", sql));
  return 0;
}

void Database::fail(std::string why) {
  if (!failed()) error_ = fmt::format("{} {}", path_, why);
}

void Database::fail_by_code(int code) {
  held_ = held_ || (!failed() && ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED));
  const int reason = handle_ == nullptr ? ENOMEM : reason_of(handle_, errno);
  fail(words_of(code, handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_), reason));
}

}  // namespace leasescope
