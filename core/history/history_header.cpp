#include "core/history/history_header.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace leasescope {
namespace {

using Json = nlohmann::json;

// Of one line the fields by name; the first that is something else than expected is told.
class HeaderFields {
 public:
  explicit HeaderFields(const Json& line) : line_(line) {}

  std::string text(const char* key) {
    const Json* const value = at(key);
    if (value == nullptr) return {};
    if (value->is_string()) return value->get<std::string>();
    return fail(key, "a text"), std::string();
  }
  std::optional<std::int64_t> number(const char* key) {
    const Json* const value = at(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX))
      return value->get<std::int64_t>();
    return fail(key, "a whole number"), std::nullopt;
  }
  std::uint64_t seed() {
    const Json* const value = at("seed");
    if (value == nullptr) return 0;
    if (value->is_number_unsigned()) return value->get<std::uint64_t>();
    return fail("seed", "a whole number from 0 on"), 0;
  }
  const std::string& error() const { return error_; }

 private:
  const Json* at(const char* key) const {
    const auto found = line_.find(key);
    return found == line_.end() || found->is_null() ? nullptr : &*found;
  }
  void fail(const char* key, const char* expected) {
    if (error_.empty()) error_ = fmt::format("expected \"{}\": {}", key, expected);
  }

  const Json& line_;
  std::string error_;
};

}  // namespace

std::string header_line(const HistoryHeader& header) {
  nlohmann::ordered_json line{{"format", "leasescope history"},
                              {"version", HistoryHeader::kFormat},
                              {"program", header.program},
                              {"scenario", header.scenario},
                              {"title", header.title},
                              {"seed", header.seed},
                              {"world", header.world},
                              {"store", header.store},
                              {"epoch_unix_ns", nullptr},
                              {"until_ns", nullptr},
                              {"toml", header.toml},
                              {"fork_at_ns", nullptr},
                              {"fork_toml", nullptr}};
  if (header.epoch_ns) line["epoch_unix_ns"] = *header.epoch_ns;
  if (header.until_ns) line["until_ns"] = *header.until_ns;
  if (header.fork) {
    line["fork_at_ns"] = header.fork->at_ns;
    line["fork_toml"] = header.fork->toml;
  }
  // Names come from outside and need not be UTF-8.
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

tl::expected<HistoryHeader, std::string> read_header_line(std::string_view line) {
  const Json read = Json::parse(line, nullptr, false);
  const auto wrong = [](std::string what) { return tl::make_unexpected(std::move(what)); };
  if (!read.is_object()) return wrong("expected one JSON object: what it is a history of");
  HeaderFields fields(read);
  if (fields.text("format") != "leasescope history") return wrong("expected \"format\": \"leasescope history\"");
  HistoryHeader out;
  out.program = fields.text("program");
  if (const auto version = fields.number("version"); version != HistoryHeader::kFormat)
    return wrong(fmt::format("expected \"version\": {}, and leasescope {} wrote another: read it with that",
                             HistoryHeader::kFormat, out.program));
  out.scenario = fields.text("scenario");
  out.title = fields.text("title");
  out.toml = fields.text("toml");
  out.seed = fields.seed();
  out.world = fields.text("world");
  out.store = fields.text("store");
  out.epoch_ns = fields.number("epoch_unix_ns");
  out.until_ns = fields.number("until_ns");
  if (const auto at = fields.number("fork_at_ns")) out.fork = {*at, fields.text("fork_toml")};
  if (!fields.error().empty()) return wrong(fields.error());
  return out;
}

}  // namespace leasescope
