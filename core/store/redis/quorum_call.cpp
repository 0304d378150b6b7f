#include "core/store/redis/quorum_call.h"

#include <array>

#include <fmt/format.h>

#include "core/store/cell_wire.h"
#include "core/store/number_text.h"
#include "core/store/redis/keys.h"

namespace leasescope::redis {
namespace {

using Kind = RespValue::Kind;

constexpr std::string_view kStolen = "stolen", kLetGo = "let-go";

std::string in_us(Duration d) { return fmt::format("{}", std::chrono::duration_cast<CellTime>(d).count()); }

const char* flag(bool is) { return is ? "1" : "0"; }

std::string_view word(RequestKind kind) {
  switch (kind) {
    case RequestKind::kObtain:
      return "obtain";
    case RequestKind::kExtend:
      return "extend";
    case RequestKind::kGiveBack:
      return "give_back";
    default:
      return "abort";
  }
}

}  // namespace

bool is_of_quorum(RequestKind kind) { return kind >= RequestKind::kObtain && kind <= RequestKind::kAcknowledge; }

bool is_told(RequestKind kind) { return kind == RequestKind::kTell || kind == RequestKind::kAcknowledge; }

std::vector<std::string> quorum_words(const Request& request, const WireNames& names) {
  const QuorumCall& call = request.quorum;
  const Keys keys(names.text(request.mutex));
  return {"2",
          keys.quorum,
          keys.quorum_fence,
          std::string(word(request.kind)),
          fmt::format("{}", call.acquisition),
          fmt::format("{}", call.other),
          in_us(call.span),
          fmt::format("{}", call.priority),
          names.text(request.contender),
          flag(call.rules.keeps_victim),
          flag(call.rules.sets_missing),
          flag(call.rules.re_enters)};
}

std::vector<std::string> told_words(const Request& request, const WireNames& names, const Loop& loop) {
  const QuorumCall& call = request.quorum;
  const Keys keys(names.text(request.mutex));
  const auto until = std::chrono::duration_cast<CellTime>(call.span) + wall_zero(loop);
  return {"PUBLISH", keys.quorum_channel_of(names.text(Name{call.to})),
          fmt::format("{} {} {} {} {}", request.kind == RequestKind::kTell ? kStolen : kLetGo, call.acquisition,
                      call.other, until.count(), names.text(request.contender))};
}

tl::expected<void, std::string> read_quorum(const RespValue& value, const Request& request, WireNames& names,
                                            Reply& reply) {
  if (is_told(request.kind)) {
    if (value.kind == Kind::kInteger) return {};
    return tl::unexpected<std::string>("the server's answer to a message is not a number");
  }
  const std::vector<RespValue>& items = value.items;
  std::int64_t remaining = 0, number = 0;
  const bool priority = request.kind == RequestKind::kObtain && request.quorum.rules.re_enters;
  const bool fits = items.size() == 6 && items[0].kind == Kind::kInteger && items[1].kind == Kind::kInteger &&
                    items[1].integer >= 0 && items[1].integer <= static_cast<std::int64_t>(QuorumAnswer::kBehind) &&
                    items[2].kind == Kind::kText &&
                    (priority ? read_number(items[3].text, number) : read_number(items[3].text, reply.number)) &&
                    read_number(items[4].text, reply.token) && read_number(items[5].text, remaining);
  if (!fits) return tl::unexpected<std::string>("its lock is not one of ours");
  if (priority) reply.number = static_cast<std::uint64_t>(number);
  reply.done = items[0].integer == 1;
  reply.answer = static_cast<std::uint8_t>(items[1].integer);
  reply.owner = items[2].text.empty() ? Name{} : names.intern(items[2].text);
  reply.remaining = CellTime(remaining);
  return {};
}

std::optional<StoreEvent> read_told(std::string_view message, WireNames& names, const Loop& loop) {
  std::array<std::string_view, 4> words;
  for (std::string_view& each : words) {
    const std::size_t space = message.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    each = message.substr(0, space);
    message.remove_prefix(space + 1);
  }
  StoreEvent out;
  std::int64_t until = 0;
  const bool fits = (words[0] == kStolen || words[0] == kLetGo) && read_number(words[1], out.acquisition) &&
                    read_number(words[2], out.by) && read_number(words[3], until) && !message.empty();
  if (!fits) return std::nullopt;
  out.kind = words[0] == kStolen ? StoreEventKind::kStolen : StoreEventKind::kLetGo;
  out.owner = names.intern(message);
  out.until = WallTime(CellTime(until) - wall_zero(loop));
  return out;
}

}  // namespace leasescope::redis
