// What a sound Redis, a sound PostgreSQL and a sound MySQL say to a program that looks around: enough of each for an
// impostor to be believed up to the step at which it begins to misbehave.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leasescope::tests {

using Words = std::vector<std::string>;

inline std::string bulk(const std::string& text) { return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n"; }

// As a Redis on which the mutex is free and stays so.
inline std::string redis_answer(const Words& words) {
  const std::string& what = words.front();
  if (what == "PING") return "+PONG\r\n";
  if (what == "SUBSCRIBE") return "*3\r\n" + bulk("subscribe") + bulk(words[1]) + ":1\r\n";
  if (what == "UNSUBSCRIBE") return "*3\r\n" + bulk("unsubscribe") + bulk("simba:{m}") + ":0\r\n";
  if (words.size() > 3 && words[3].find(":probe:") != std::string::npos) return "*2\r\n" + bulk("granted") + bulk("");
  if (what == "GET") return "$-1\r\n";
  if (what == "SET" || what == "AUTH" || what == "SELECT") return "+OK\r\n";
  if (what == "DEL" || what == "PUBLISH") return ":1\r\n";
  return "*3\r\n" + bulk("") + ":0\r\n:0\r\n";
}

namespace postgres_words {

inline std::string number(std::uint32_t value, int bytes = 4) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
  return out;
}

inline std::string frame(char type, const std::string& body) {
  return type + number(static_cast<std::uint32_t>(body.size() + 4)) + body;
}

inline std::string setting(const std::string& name, const std::string& value) {
  return frame('S', name + '\0' + value + '\0');
}

inline std::string ready() { return frame('Z', "I"); }

// Let in, with what libpq wants to know.
inline std::string welcome() {
  return frame('R', number(0)) + setting("server_version", "15.0") + setting("client_encoding", "UTF8") +
         setting("standard_conforming_strings", "on") + frame('K', number(1) + number(1)) + ready();
}

// One row of one column.
inline std::string row(const std::string& text) {
  return frame('T', number(1, 2) + "x" + '\0' + number(0) + number(0, 2) + number(25) + number(0xffff, 2) +
                        number(0xffffffff) + number(0, 2)) +
         frame('D', number(1, 2) + number(static_cast<std::uint32_t>(text.size())) + text) +
         frame('C', std::string("SELECT 1") + '\0');
}

inline std::string error(const std::string& code, const std::string& text) {
  return frame('E', std::string("SERROR") + '\0' + "C" + code + '\0' + "M" + text + '\0' + '\0');
}

}  // namespace postgres_words

// To one message of the client (its type and body); empty while more of them are to come.
inline std::string postgres_answer(char type) {
  using namespace postgres_words;
  switch (type) {
    case 'Q':
      return row("1") + ready();
    case 'P':
      return frame('1', "");
    case 'B':
      return frame('2', "");
    case 'E':
      return row("1");
    case 'S':
      return ready();
    default:
      return {};
  }
}

namespace mysql_words {

inline std::string number(std::uint32_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xff);
  return out;
}

inline std::string packet(std::uint32_t place, const std::string& body) {
  return number(static_cast<std::uint32_t>(body.size()), 3) + number(place, 1) + body;
}

inline std::string counted(const std::string& text) {
  return number(static_cast<std::uint32_t>(text.size()), 1) + text;
}

// Version 10, its rules of login, and what it can: several statements at once, a database named at the login.
inline std::string greeting() {
  return packet(0, "\12" + std::string("5.5.5-10.11.0-MariaDB") + '\0' + number(42, 4) + "abcdefgh" + '\0' +
                       number(0xa209, 2) + "\55" + number(2, 2) + number(0x000b, 2) + number(21, 1) +
                       std::string(10, '\0') + "ijklmnopqrst" + '\0' + "mysql_native_password" + '\0');
}

inline std::string ok(std::uint32_t place) {
  return packet(place, std::string("\0\0\0", 3) + number(2, 2) + number(0, 2));
}

inline std::string error(std::uint32_t number_of_it, const std::string& text) {
  return packet(1, "\xff" + number(number_of_it, 2) + "#42000" + text);
}

// One row of texts.
inline std::string row(const Words& texts) {
  const auto place = [n = std::uint32_t{0}]() mutable { return ++n; };
  auto next = place;
  const auto end = [](std::uint32_t at) { return packet(at, "\xfe" + number(0, 2) + number(2, 2)); };
  std::string out = packet(next(), number(static_cast<std::uint32_t>(texts.size()), 1)), values;
  for (const std::string& text : texts) {
    out +=
        packet(next(), counted("def") + counted("") + counted("") + counted("") + counted("x") + counted("") + "\xc" +
                           number(45, 2) + number(400, 4) + "\xfd" + number(0, 2) + number(0, 1) + number(0, 2));
    values += counted(text);
  }
  out += end(next());
  out += packet(next(), values);
  return out + end(next());
}

}  // namespace mysql_words

// As a MySQL whose table is there, and in which the mutex is free and stays so.
inline std::string mysql_answer(const std::string& sql) {
  const auto asks = [&](const char* words) { return sql.find(words) != std::string::npos; };
  if (asks("read_only")) return mysql_words::row({"0"});
  if (asks("select engine")) return mysql_words::row({"InnoDB"});
  if (asks("column_name")) return mysql_words::row({"1"});
  if (asks("as released")) return mysql_words::row({"1"});
  if (asks("as sound")) return mysql_words::row({"", "0", "0", "0", "1"});
  return mysql_words::ok(1);
}

}  // namespace leasescope::tests
