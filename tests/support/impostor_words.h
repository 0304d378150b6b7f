// What a sound Redis and a sound PostgreSQL say to a program that looks around: enough of each for an impostor to be
// believed up to the step at which it begins to misbehave.
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
         setting("standard_conforming_strings", "on") + frame('K', number(4242) + number(1)) + ready();
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

}  // namespace leasescope::tests
