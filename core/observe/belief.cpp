#include "core/observe/belief.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace leasescope {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> kWords{"owns", "not owner", "waits", "stopped"};
constexpr std::int64_t kLatest = 4'000'000'000'000;                                 // ms: in 2096
constexpr std::int64_t kLongestLeft = std::int64_t{50} * 365 * 86'400'000'000'000;  // ns: nobody's lease is longer
constexpr std::int64_t kMostPid = INT32_MAX;

// What is wrong with the first field that is; empty: nothing yet.
class Fields {
 public:
  explicit Fields(const json& object) : object_(object) {}

  void text(const char* key, std::string& out, std::size_t least) {
    const auto found = object_.find(key);
    if (found == object_.end() && least == 0) return;
    const bool good = found != object_.end() && found->is_string();
    if (good) out = found->get<std::string>();
    if (!good || out.size() < least || out.size() > kMostBeliefText)
      refuse(key, fmt::format("a text of {} to {} bytes", least, kMostBeliefText));
  }
  template <class Number>
  void number(const char* key, Number& out, std::int64_t least, std::int64_t most) {
    const auto found = object_.find(key);
    const bool good = found != object_.end() && found->is_number_integer() && fits(*found, least, most);
    if (!good) return refuse(key, fmt::format("a whole number from {} to {}", least, most));
    out = static_cast<Number>(found->get<std::int64_t>());
  }
  bool has(const char* key) const { return object_.contains(key); }
  void refuse(const char* key, const std::string& expected) {
    if (wrong_.empty()) wrong_ = fmt::format("\"{}\": expected {}", key, expected);
  }
  const std::string& wrong() const { return wrong_; }

 private:
  static bool fits(const json& value, std::int64_t least, std::int64_t most) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return false;
    const auto number = value.get<std::int64_t>();
    return least <= number && number <= most;
  }

  const json& object_;
  std::string wrong_;
};

void read_what(Fields& fields, Belief& out) {
  std::string word;
  fields.text("what", word, 1);
  const auto* const known = std::find(kWords.begin(), kWords.end(), word);
  if (known == kWords.end()) return fields.refuse("what", fmt::format("one of {}", fmt::join(kWords, ", ")));
  out.what = static_cast<Belief::What>(known - kWords.begin());
}

tl::expected<Belief, std::string> read(const json& object) {
  Belief out;
  Fields fields(object);
  fields.text("mutex", out.mutex, 1);
  fields.text("owner", out.owner, 1);
  read_what(fields, out);
  if (fields.has("fence")) fields.number("fence", out.fence, 1, INT64_MAX);
  if (fields.has("left_ns")) {
    std::int64_t left = 0;
    fields.number("left_ns", left, 0, kLongestLeft);
    out.left = Duration(left);
  }
  fields.number("sent_ms", out.sent_ms, 0, kLatest);
  fields.number("number", out.number, 1, INT64_MAX);
  fields.text("host", out.host, 0);
  fields.number("pid", out.pid, 0, kMostPid);
  fields.text("store", out.store, 0);
  if (!fields.wrong().empty()) return tl::unexpected(fields.wrong());
  return out;
}

}  // namespace

std::string_view text(Belief::What what) { return kWords[static_cast<std::size_t>(what)]; }

// What is no UTF-8 in a name is replaced: whoever hears it knows no mutex of that name then.
std::string belief_text(const Belief& belief) {
  json out{{"v", kBeliefVersion},       {"mutex", belief.mutex},
           {"owner", belief.owner},     {"what", std::string(text(belief.what))},
           {"sent_ms", belief.sent_ms}, {"number", belief.number},
           {"pid", belief.pid}};
  if (belief.fence != kNoToken) out["fence"] = belief.fence;
  if (belief.left) out["left_ns"] = std::clamp<std::int64_t>(belief.left->count(), 0, kLongestLeft);
  if (!belief.host.empty()) out["host"] = belief.host;
  if (!belief.store.empty()) out["store"] = belief.store;
  std::string text = out.dump(-1, ' ', false, json::error_handler_t::replace);
  const bool fits =
      std::max({belief.mutex.size(), belief.owner.size(), belief.host.size(), belief.store.size()}) <= kMostBeliefText;
  return fits && text.size() <= kMostBelief ? text : std::string();
}

tl::expected<Belief, std::string> parse_belief(std::string_view text) {
  if (text.size() > kMostBelief) return tl::unexpected(fmt::format("it is longer than {} bytes", kMostBelief));
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return tl::unexpected<std::string>("it is no object of JSON");
  Fields fields(object);
  std::int64_t version = 0;
  fields.number("v", version, 1, INT32_MAX);
  if (!fields.wrong().empty()) return tl::unexpected(fields.wrong());
  if (version > kBeliefVersion)
    return tl::unexpected(fmt::format("it is of version {}, and this program reads up to {}", version, kBeliefVersion));
  return read(object);
}

}  // namespace leasescope
