// redsync's locks: a string of 16 random bytes in base64, with an end, the same on every server of one lock.
#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::size_t kLetters = 24;
constexpr std::string_view kEnd = "==";
constexpr const char* kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kLast = "AQgw";  // of two bits

bool is_one(const KeyContent& content) {
  const std::string_view text = content.text;
  if (!content.left || text.size() != kLetters || text.substr(kLetters - kEnd.size()) != kEnd) return false;
  const std::string_view letters = text.substr(0, kLetters - kEnd.size());
  return letters.find_first_not_of(kAlphabet) == std::string_view::npos &&
         kLast.find(letters.back()) != std::string_view::npos;
}

}  // namespace

KeyForm redsync_lock() { return {"redsync", true, "string", any_key, is_one, nothing_besides, tell_text}; }

}  // namespace leasescope::redis
