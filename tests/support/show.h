// How a failing QCOMPARE shows the library's values: enums by their words, times as a scenario writes them, strings
// quoted. A type of a test's own is shown when its namespace has a `text(value)` for it.
#pragma once
#include <array>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <QDebug>
#include <QString>
#include <tl/expected.hpp>

#include "core/base/escaped.h"
#include "core/base/name.h"
#include "core/contend/input.h"
#include "core/store/port.h"
#include "core/time/clock.h"
#include "core/time/duration_text.h"

namespace leasescope::tests {

inline std::string_view shown(RequestKind kind) {
  static constexpr std::array kWords{"subscribe", "unsubscribe", "acquire", "guard",  "release", "open",
                                     "heartbeat", "close",       "lock",    "unlock", "query",   "connect",
                                     "create",    "children",    "look",    "delete"};
  return kWords[static_cast<std::size_t>(kind)];
}
inline std::string_view shown(Ending ending) {
  static constexpr std::array kWords{"ok", "failed", "unknown"};
  return kWords[static_cast<std::size_t>(ending)];
}
inline std::string_view shown(Wire wire) {
  static constexpr std::array kWords{"term", "fenced", "tokenless"};
  return kWords[static_cast<std::size_t>(wire)];
}
inline std::string_view shown(Timer timer) {
  static constexpr std::array<const char*, kContenderTimers> kWords{"contend", "watchdog", "executor"};
  return kWords[static_cast<std::size_t>(timer)];
}

// Its text is known to its table alone.
inline std::string shown(Name name) { return name.empty() ? "no name" : fmt::format("name {}", name.handle); }

inline std::string shown(Duration duration) { return format_duration(duration); }
template <class Clock>
std::string shown(std::chrono::time_point<Clock, Duration> time) {
  return "at " + format_duration(time.time_since_epoch());
}

template <class Text>
requires std::same_as<Text, std::string> || std::same_as<Text, std::string_view> std::string shown(const Text& text) {
  return fmt::format("\"{}\"", escaped(text, 400));
}

template <class T>
requires requires(const T& value) {
  { text(value) } -> std::convertible_to<std::string_view>;
}
std::string shown(const T& value) { return std::string(text(value)); }

template <class T>
std::string in_words(const T& value) {
  if constexpr (QTypeTraits::has_ostream_operator_v<QDebug, T>)
    return QDebug::toString(value).toStdString();
  else
    return "a value";
}
template <class T>
std::string shown(const std::optional<T>& value) {
  return value ? in_words(*value) : "nothing";
}
template <class T, class E>
std::string shown(const tl::expected<T, E>& value) {
  return value ? in_words(*value) : "error: " + in_words(value.error());
}

template <class T>
concept ShownInWords = requires(const T& value) {
  shown(value);
};

}  // namespace leasescope::tests

// Qt looks for the form of a value where the stream is at home, so that a vector of them is shown as well.
template <leasescope::tests::ShownInWords T>
QDebug operator<<(QDebug debug, const T& value) {
  const QDebugStateSaver saver(debug);
  const auto words = leasescope::tests::shown(value);
  debug.nospace().noquote() << QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
  return debug;
}

// Of an enum Qt would show the number.
namespace leasescope {
template <tests::ShownInWords T>
requires std::is_enum_v<T>
char* toString(const T& value) { return qstrdup(std::string(tests::shown(value)).c_str()); }
}  // namespace leasescope
