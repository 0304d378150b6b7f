#include "core/store/etcd/requests.h"

#include <nlohmann/json.hpp>

#include "core/store/etcd/base64.h"

namespace leasescope::etcd {
namespace {

using Json = nlohmann::ordered_json;

// A password may be no UTF-8.
std::string text_of(const Json& body) { return body.dump(-1, ' ', false, Json::error_handler_t::replace); }

constexpr const char* kRange = "/v3/kv/range";

}  // namespace

KeySpan keys_with(const std::string& prefix) {
  std::string end = prefix;
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  // To a zero byte is to the end of all.
  if (end.empty()) return {prefix.empty() ? std::string(1, '\0') : prefix, std::string(1, '\0')};
  end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return {prefix, end};
}

Question range_question(const KeySpan& span, int limit, std::int64_t revision) {
  Json body{{"key", base64(span.from)},
            {"range_end", base64(span.to)},
            {"limit", std::to_string(limit)},
            {"keys_only", true}};
  if (revision > 0) body["revision"] = std::to_string(revision);
  return {kRange, text_of(body)};
}

Question value_question(const std::string& key) { return {kRange, text_of(Json{{"key", base64(key)}})}; }

Question sign_of_life_question(const std::string& key) {
  return {kRange, text_of(Json{{"key", base64(key)}, {"keys_only", true}})};
}

Question watch_question(const KeySpan& span, std::int64_t revision) {
  const Json create{{"key", base64(span.from)},
                    {"range_end", base64(span.to)},
                    {"start_revision", std::to_string(revision)},
                    {"fragment", true}};
  return {"/v3/watch", text_of(Json{{"create_request", create}})};
}

Question lease_question(std::int64_t lease) {
  return {"/v3/lease/timetolive", text_of(Json{{"ID", std::to_string(lease)}})};
}

Question login_question(const std::string& user, const std::string& password) {
  return {"/v3/auth/authenticate", text_of(Json{{"name", user}, {"password", password}})};
}

}  // namespace leasescope::etcd
