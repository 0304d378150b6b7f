#include "core/store/redis/reply.h"

#include <charconv>

#include <fmt/format.h>

#include "core/store/owner_event.h"

namespace leasescope::redis {
namespace {

std::string words(const Element& element) {
  if (const auto* number = std::get_if<std::int64_t>(&element)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&element)) return *text;
  return "null";
}

std::string words(const std::vector<Element>& reply) {
  std::string out = "[";
  for (const Element& element : reply) out += (out.size() > 1 ? ", " : "") + words(element);
  return out + "]";
}

tl::unexpected<std::string> not_a_number(const Element& element) {
  if (std::holds_alternative<Nil>(element))
    return tl::unexpected<std::string>("null cannot be cast to non-null type kotlin.Number");
  return tl::unexpected<std::string>("class java.lang.String cannot be cast to class java.lang.Number");
}

}  // namespace

tl::expected<LeaseReply, std::string> parse_lease_reply(const std::vector<Element>& reply) {
  if (reply.size() != 3 || !std::holds_alternative<std::string>(reply[0]))
    return tl::unexpected(fmt::format("Incorrect script reply:[{}]", words(reply)));
  const auto* remaining = std::get_if<std::int64_t>(&reply[1]);
  const auto* token = std::get_if<std::int64_t>(&reply[2]);
  if (remaining == nullptr) return not_a_number(reply[1]);
  if (token == nullptr) return not_a_number(reply[2]);
  LeaseReply out;
  out.owner = std::get<std::string>(reply[0]);
  if (out.owner.empty()) return out;
  out.has_remaining = true;
  out.remaining_ms = *remaining;
  out.token = static_cast<Token>(*token);
  return out;
}

tl::expected<LeaseReply, std::string> parse_lease_reply(std::string_view reply) {
  if (reply == "@@") return LeaseReply{};
  const std::vector<std::string_view> parts = split_fields(reply);
  if (parts.size() != 2) return tl::unexpected(fmt::format("Incorrect resultStr format:[{}]", reply));
  LeaseReply out;
  out.owner = std::string(parts[0]);
  out.has_remaining = true;
  const std::string_view digits = parts[1];
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out.remaining_ms);
  if (error != std::errc() || end != digits.data() + digits.size())
    return tl::unexpected(fmt::format("For input string: \"{}\"", digits));
  return out;
}

}  // namespace leasescope::redis
