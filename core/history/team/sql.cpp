#include "core/history/team/sql.h"

#include <libpq-fe.h>

#include <charconv>

namespace leasescope::team {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

std::int64_t number_of(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

void SqlArray::begin() {
  if (size_++ > 0) text_ += ',';
}

void SqlArray::add(std::int64_t number) {
  begin();
  text_ += std::to_string(number);
}

void SqlArray::add_yes(bool yes) {
  begin();
  text_ += yes ? 't' : 'f';
}

void SqlArray::add_text(std::string_view text) {
  begin();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void SqlArray::add_bytes(std::string_view bytes) {
  begin();
  text_ += "\"\\\\x";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text_ += kDigits[byte >> 4];
    text_ += kDigits[byte & 0xf];
  }
  text_ += '"';
}

void SqlArray::add_nothing() {
  begin();
  text_ += "NULL";
}

void SqlRows::Free::operator()(PGresult* result) const { PQclear(result); }

int SqlRows::size() const { return PQntuples(result_.get()); }

std::int64_t SqlRows::changed() const { return number_of(PQcmdTuples(result_.get())); }

bool SqlRows::has(int row, int column) const {
  return row < size() && column < PQnfields(result_.get()) && PQgetisnull(result_.get(), row, column) == 0;
}

std::string_view SqlRows::text(int row, int column) const {
  if (!has(row, column)) return {};
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::string SqlRows::bytes(int row, int column) const {
  const std::string_view hex = text(row, column);
  std::string out;
  if (hex.substr(0, 2) != "\\x") return out;
  out.reserve(hex.size() / 2);
  for (std::size_t i = 2; i + 1 < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

std::int64_t SqlRows::number(int row, int column) const { return number_of(text(row, column)); }

std::optional<std::int64_t> SqlRows::number_if_any(int row, int column) const {
  if (!has(row, column)) return std::nullopt;
  return number(row, column);
}

std::vector<std::int64_t> SqlRows::numbers(int row, int column) const {
  std::vector<std::int64_t> out;
  std::string_view left = text(row, column);
  if (left.size() < 2 || left == "{}") return out;
  left = left.substr(1, left.size() - 2);
  while (!left.empty()) {
    const std::size_t comma = left.find(',');
    out.push_back(number_of(left.substr(0, comma)));
    left = comma == std::string_view::npos ? std::string_view() : left.substr(comma + 1);
  }
  return out;
}

}  // namespace leasescope::team
