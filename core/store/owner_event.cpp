#include "core/store/owner_event.h"

#include <charconv>

#include <fmt/format.h>

namespace leasescope {

std::vector<std::string_view> split_fields(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at; (at = text.find("@@")) != std::string_view::npos; text.remove_prefix(at + 2))
    parts.push_back(text.substr(0, at));
  parts.push_back(text);
  while (!parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

std::optional<StoreEventKind> OwnerEvent::kind() const {
  if (event == "acquired") return StoreEventKind::kAcquired;
  if (event == "released") return StoreEventKind::kReleased;
  return std::nullopt;
}

tl::expected<OwnerEvent, std::string> parse_owner_event(std::string_view message) {
  const std::vector<std::string_view> parts = split_fields(message);
  if (parts.size() != 2) return tl::unexpected(fmt::format("Incorrect message format:[{}]", message));
  return OwnerEvent{std::string(parts[0]), std::string(parts[1])};
}

std::optional<Token> granted_by(std::string_view message) {
  constexpr std::string_view kGranted = "granted@@";
  if (message.substr(0, kGranted.size()) != kGranted) return std::nullopt;
  message.remove_prefix(kGranted.size());
  Token token = kNoToken;
  const auto [end, error] = std::from_chars(message.data(), message.data() + message.size(), token);
  if (error != std::errc() || end != message.data() + message.size() || token == kNoToken) return std::nullopt;
  return token;
}

}  // namespace leasescope
