#include "core/store/types/types.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace leasescope {

#define LEASESCOPE_STORE_TYPE(name) \
  namespace name {                  \
  const StoreType& store_type();    \
  }
LEASESCOPE_STORE_TYPES(LEASESCOPE_STORE_TYPE)
#undef LEASESCOPE_STORE_TYPE

namespace {

using url_text::Parsed;
using url_text::Wrong;

const std::vector<const StoreType*>& all_types() {
  static const std::vector<const StoreType*> types{
#define LEASESCOPE_STORE_TYPE(name) &name::store_type(),
      LEASESCOPE_STORE_TYPES(LEASESCOPE_STORE_TYPE)
#undef LEASESCOPE_STORE_TYPE
  };
  return types;
}

template <class Wanted>
std::vector<const StoreType*> types_that(Wanted wanted) {
  std::vector<const StoreType*> out;
  std::copy_if(all_types().begin(), all_types().end(), std::back_inserter(out),
               [&](const StoreType* type) { return wanted(*type); });
  return out;
}

// "expected redis, postgres, redis://… or postgresql://…"
std::string expected() {
  std::vector<std::string_view> out;
  for (const StoreType* type : store_types()) out.push_back(type->name());
  for (const StoreType* type : all_types()) out.insert(out.end(), type->forms.begin(), type->forms.end());
  const std::string_view last = out.back();
  out.pop_back();
  return fmt::format("expected {} or {}", fmt::join(out, ", "), last);
}

std::string words(const Wrong& wrong, std::string_view text) {
  const bool of_part = wrong.what.rfind("is ", 0) == 0;
  if (!url_text::may_hold_password(text))
    return fmt::format("{}{}: {}", of_part ? fmt::format("\"{}\" ", wrong.part) : "", wrong.what, expected());
  return fmt::format(
      "{}{} (not repeated here, for it may hold a password; in one, : / @ ? # % are written %3A %2F %40 %3F %23 %25): "
      "{}",
      of_part ? "a part of it " : "", wrong.what, expected());
}

// "zookeeper?servers=3"
Parsed parse_private(const StoreType& type, std::string_view query) {
  if (type.is_only_watched() && !query.empty())
    return url_text::wrong("is not an option of a store that is only watched", query);
  StoreUrl url;
  url.type = &type;
  url_text::take_options(query, url);
  const std::vector<int>& sizes = type.ensembles;
  std::string servers = "1";
  if (!sizes.empty()) url_text::take_option(url, "servers", servers);
  if (!url.options.empty())
    return url_text::wrong(
        fmt::format("is not an option of a private {}{}", type.title, sizes.empty() ? "" : ", which has servers alone"),
        url.options.begin()->first);
  const bool whole = url_text::parse_number(servers, 1000, url.servers);
  if (whole && (url.servers == 1 || std::find(sizes.begin(), sizes.end(), url.servers) != sizes.end())) return url;
  return url_text::wrong(fmt::format("is no number of servers for a private {}: 1, or {} that agree by majority",
                                     type.title, fmt::join(sizes, " or ")),
                         servers);
}

Parsed parse(std::string_view text) {
  std::string_view word = text;
  const std::string_view query = url_text::cut_behind(word, '?');
  if (const StoreType* const type = find_store_type(word)) return parse_private(*type, query);
  for (const StoreType* type : all_types())
    for (const std::string_view scheme : type->schemes) {
      if (text.substr(0, scheme.size()) != scheme) continue;
      Parsed parsed = type->parse(scheme, text.substr(scheme.size()));
      if (!parsed) return parsed;
      parsed->type = type;
      parsed->given = true;
      return parsed;
    }
  return url_text::wrong("is not a store", text);
}

template <class Words>
std::string listed(const std::vector<const StoreType*>& types, Words words, const char* between = ", ") {
  std::vector<std::string> out;
  out.reserve(types.size());
  for (const StoreType* type : types) out.emplace_back(words(*type));
  return fmt::format("{}", fmt::join(out, between));
}

std::string scheme(const StoreType& type) { return fmt::format("{}…", type.schemes.front()); }

}  // namespace

const std::vector<const StoreType*>& store_types() {
  static const std::vector<const StoreType*> types =
      types_that([](const StoreType& type) { return !type.is_only_watched(); });
  return types;
}

const std::vector<const StoreType*>& watched_types() {
  static const std::vector<const StoreType*> types =
      types_that([](const StoreType& type) { return type.observe != nullptr; });
  return types;
}

const StoreType* find_store_type(std::string_view word) {
  for (const StoreType* type : all_types())
    if (std::find(type->words.begin(), type->words.end(), word) != type->words.end()) return type;
  return nullptr;
}

tl::expected<StoreUrl, std::string> parse_store_url(std::string_view text) {
  const Parsed parsed = parse(text);
  if (!parsed) return tl::unexpected(words(parsed.error(), text));
  return *parsed;
}

std::string store_words() {
  return listed(store_types(), [](const StoreType& type) {
    if (type.ensembles.empty()) return std::string(type.name());
    return fmt::format("{}[?servers={}]", type.name(), fmt::join(type.ensembles, "|"));
  });
}

std::string store_schemes() { return listed(store_types(), scheme); }

std::string watched_schemes() { return listed(watched_types(), scheme); }

std::string store_hosts() {
  std::vector<std::string> out;
  for (const StoreType* type : store_types())
    if (!type->several_hosts.empty()) out.push_back(fmt::format("of {} {}", type->title, type->several_hosts));
  return fmt::format("Several hosts in one URL are {}", fmt::join(out, "; "));
}

std::string store_passwords() {
  return listed(
      all_types(), [](const StoreType& type) { return fmt::format("{} also: {}", type.title, type.passwords); }, "; ");
}

}  // namespace leasescope
