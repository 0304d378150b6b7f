// node-redlock's locks: a string of 32 hex digits with an end, the same on every server of one lock.
#include "core/store/redis/foreign/key_forms.h"

namespace leasescope::redis {
namespace {

constexpr std::size_t kDigits = 32;

bool is_one(const KeyContent& content) {
  return content.left && content.text.size() == kDigits && is_hex(content.text) && !is_made_by_time(content.text);
}

}  // namespace

KeyForm node_redlock() { return {"node-redlock", true, "string", any_key, is_one, nothing_besides, tell_text}; }

}  // namespace leasescope::redis
