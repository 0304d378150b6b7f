// The packets of MySQL's login, as a server writes them.
#pragma once
#include <string>

namespace leasescope::tests {

inline std::string mysql_packet(int number, const std::string& body) {
  const auto byte = [](std::size_t value) { return static_cast<char>(value & 0xff); };
  return std::string{byte(body.size()), byte(body.size() >> 8), byte(body.size() >> 16), static_cast<char>(number)} +
         body;
}

// Protocol, version, connection, half a scramble, abilities, set of characters, status, abilities, length of the
// scramble, blanks, the other half, the plugin of the login.
inline std::string mysql_greeting(bool tls, const std::string& plugin = "mysql_native_password") {
  std::string body = "\x0a" + std::string("11.8.3-MariaDB") + std::string("\0\7\0\0\0", 5) + "12345678";
  body += std::string("\0\xff", 2) + (tls ? '\xff' : '\xf7') + std::string("\x2d\x02\x00\xff\x81\x15", 6);
  body += std::string(10, '\0') + std::string("123456789012", 13) + plugin + '\0';
  return mysql_packet(0, body);
}

// Done, with nothing changed.
inline std::string mysql_ok(int number) { return mysql_packet(number, std::string("\0\0\0\2\0\0\0", 7)); }

}  // namespace leasescope::tests
