#include "core/store/etcd/answers.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/escaped.h"
#include "core/store/etcd/base64.h"

namespace leasescope::etcd {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 16;  // etcd's own come to six

// A text of brackets alone would be a tree of millions of nodes.
bool is_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if ((c == '{' || c == '[') && ++depth > kDeepest) return true;
    if (c == '}' || c == ']') --depth;
  }
  return false;
}

// Reads members, and remembers whether one was not what it has to be.
class Reader {
 public:
  const Json& object(const Json& of, const char* name) { return member(of, name, &Json::is_object); }
  const Json& list(const Json& of, const char* name) { return member(of, name, &Json::is_array); }

  std::int64_t number(const Json& of, const char* name) {
    const auto found = of.find(name);
    if (found == of.end()) return 0;
    if (found->is_number_integer()) return found->get<std::int64_t>();
    std::int64_t out = 0;
    if (const auto* const text = found->get_ptr<const std::string*>()) {
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), out);
      if (error == std::errc() && end == text->data() + text->size()) return out;
    }
    sound_ = false;
    return 0;
  }
  bool flag(const Json& of, const char* name) {
    const auto found = of.find(name);
    if (found == of.end()) return false;
    if (!found->is_boolean()) sound_ = false;
    return found->is_boolean() && found->get<bool>();
  }
  std::string text(const Json& of, const char* name) {
    const auto found = of.find(name);
    if (found == of.end()) return {};
    if (const auto* const text = found->get_ptr<const std::string*>()) return *text;
    sound_ = false;
    return {};
  }
  std::string bytes(const Json& of, const char* name) {
    auto decoded = base64_decoded(text(of, name));
    if (!decoded) sound_ = false;
    return decoded ? *std::move(decoded) : std::string();
  }
  // That of every answer of etcd's.
  std::int64_t revision(const Json& of) {
    if (of.find("header") == of.end()) sound_ = false;
    return number(object(of, "header"), "revision");
  }
  KeyValue key(const Json& of) {
    if (!of.is_object()) sound_ = false;
    if (!of.is_object()) return {};
    KeyValue out;
    out.key = bytes(of, "key");
    out.value = bytes(of, "value");
    out.created = number(of, "create_revision");
    out.modified = number(of, "mod_revision");
    out.lease = number(of, "lease");
    return out;
  }

  bool sound() const { return sound_; }
  void spoil() { sound_ = false; }

 private:
  const Json& member(const Json& of, const char* name, bool (Json::*is)() const noexcept) {
    static const Json none_object = Json::object(), none_list = Json::array();
    const auto found = of.find(name);
    if (found != of.end() && ((*found).*is)()) return *found;
    if (found != of.end()) sound_ = false;
    return (none_object.*is)() ? none_object : none_list;
  }

  bool sound_ = true;
};

Refusal not_etcd(std::string_view text) {
  return {Refusal::kNotEtcd, fmt::format("it answers, and not as etcd does: \"{}\"", escaped(text, 60))};
}

std::optional<Json> parse(std::string_view text) {
  if (is_deep(text)) return std::nullopt;
  Json out = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!out.is_object()) return std::nullopt;
  return out;
}

// {"error": "words", "code": 7} of an answer, {"error": {"grpc_code": 7, "message": "words"}} in a stream; newer ones
// say {"code": 7, "message": "words"}.
std::optional<Refusal> refusal_in(const Json& whole) {
  const auto error = whole.find("error");
  const bool nested = error != whole.end() && error->is_object();
  const Json& of = nested ? *error : whole;
  Reader reader;
  Refusal out;
  const bool numbered = of.find("code") != of.end() || of.find("grpc_code") != of.end();
  out.code = static_cast<int>(
      std::clamp<std::int64_t>(reader.number(of, of.find("grpc_code") != of.end() ? "grpc_code" : "code"), 0, 1000));
  out.words = reader.text(of, "message");
  if (out.words.empty() && error != whole.end() && error->is_string()) out.words = error->get<std::string>();
  if (!reader.sound() || out.words.empty() || (error == whole.end() && !numbered)) return std::nullopt;
  out.words = escaped(out.words, kLongestError);
  return out;
}

// The text as a whole, or of a stream what stands under "result".
template <class T, class Read>
Answer<T> answer_of(std::string_view text, const char* within, Read read) {
  const auto whole = parse(text);
  if (!whole) return tl::unexpected(not_etcd(text));
  if (auto refusal = refusal_in(*whole)) return tl::unexpected(*std::move(refusal));
  Reader reader;
  if (within != nullptr && whole->find(within) == whole->end()) reader.spoil();
  T out = read(reader, within == nullptr ? *whole : reader.object(*whole, within));
  if (!reader.sound()) return tl::unexpected(not_etcd(text));
  return out;
}

KeyChange change_of(Reader& reader, const Json& event) {
  KeyChange out;
  if (!event.is_object()) {
    reader.spoil();
    return out;
  }
  const std::string type = reader.text(event, "type");
  out.deleted = type == "DELETE";
  if (!out.deleted && !type.empty() && type != "PUT") reader.spoil();
  out.now = reader.key(reader.object(event, "kv"));
  if (out.now.key.empty()) reader.spoil();
  return out;
}

}  // namespace

Answer<RangeAnswer> read_range(std::string_view text) {
  return answer_of<RangeAnswer>(text, nullptr, [](Reader& reader, const Json& of) {
    RangeAnswer out;
    out.revision = reader.revision(of);
    for (const Json& each : reader.list(of, "kvs")) out.keys.push_back(reader.key(each));
    out.more = reader.flag(of, "more");
    return out;
  });
}

Answer<WatchAnswer> read_watch(std::string_view line) {
  return answer_of<WatchAnswer>(line, "result", [](Reader& reader, const Json& of) {
    WatchAnswer out;
    out.revision = reader.revision(of);
    out.created = reader.flag(of, "created");
    out.canceled = reader.flag(of, "canceled");
    out.compacted = reader.number(of, "compact_revision");
    out.reason = escaped(reader.text(of, "cancel_reason"), kLongestError);
    for (const Json& each : reader.list(of, "events")) out.changes.push_back(change_of(reader, each));
    return out;
  });
}

Answer<LeaseAnswer> read_lease(std::string_view text) {
  return answer_of<LeaseAnswer>(text, nullptr, [](Reader& reader, const Json& of) {
    reader.revision(of);
    return LeaseAnswer{reader.number(of, "TTL"), reader.number(of, "grantedTTL")};
  });
}

Answer<std::string> read_login(std::string_view text) {
  return answer_of<std::string>(text, nullptr, [](Reader& reader, const Json& of) {
    std::string token = reader.text(of, "token");
    // It goes into a header of ours.
    const bool sound = !token.empty() && token.size() < 8192 &&
                       std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!sound) reader.spoil();
    return token;
  });
}

Refusal read_refusal(int status, std::string_view text) {
  if (const auto whole = parse(text))
    if (auto refusal = refusal_in(*whole)) return *std::move(refusal);
  return {Refusal::kNotEtcd, fmt::format("it answers, and not as etcd does: HTTP {}", status)};
}

}  // namespace leasescope::etcd
