// A lock of another maker as it lies in a Redis: by which key it is known, and what that key and those beside it say.
// One more is a file here and a line in key_forms.cpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/observe/sighting.h"
#include "core/store/redis/resp_reader.h"

namespace leasescope::redis {

using Words = std::vector<std::string>;  // of a command

// What a key holds, as far as a lock would.
struct KeyContent {
  std::string text;                                        // of a string: its beginning
  std::vector<std::pair<std::string, std::string>> pairs;  // of a hash: field and value; of a zset: member and score
  std::optional<Duration> left;                            // none: it stays until it is deleted
};

// More fields, or members, has no lock.
inline constexpr std::size_t kMostFields = 65;

struct KeyForm {
  std::string_view maker;  // "Redisson"
  bool likely;             // what looks like it may be something else
  std::string_view type;   // of the key, as TYPE says it
  // Whether its content is worth a question: by the key, and of a hash by the names of its fields.
  bool (*may_be)(const std::string& key, const std::vector<std::string>& fields);
  // Whether it is one and somebody holds it.
  bool (*is_one)(const KeyContent& content);
  // What is asked for besides, each time it is looked at; the answers come in that order.
  std::vector<Words> (*besides)(const std::string& key);
  // Fills in system, owner, token, waiters, queue and what is not in the key itself.
  void (*tell)(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen);
  // Patterns of the channels on which a release is told to whoever waits, as rights would give them; most have none.
  std::vector<std::string> channels{};
  // The keys that a message on such a channel may be about; of another channel: none.
  std::vector<std::string> (*told_of)(const std::string& channel) = nullptr;
};

// ---- what forms share

bool is_uuid(std::string_view text);
bool is_number(std::string_view text);
bool is_hex(std::string_view text);           // in small letters
std::string text_of(const RespValue& value);  // of anything else: empty
// "a, b"
std::string joined(const std::vector<std::string>& owners);
bool any_key(const std::string& key, const std::vector<std::string>& fields);
std::vector<Words> nothing_besides(const std::string& key);
// Of a string whose whole content is its owner's secret.
void tell_text(const KeyContent& content, const std::vector<RespValue>& besides, Sighting& seen);

}  // namespace leasescope::redis
