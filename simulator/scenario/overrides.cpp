#include "simulator/scenario/overrides.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace leasescope {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = path.find('.', begin);
    parts.push_back(path.substr(begin, dot - begin));
    if (dot == std::string::npos) return parts;
    begin = dot + 1;
  }
}

bool is_index(const std::string& text, std::size_t& index) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size();
}

bool is_list(const std::string& key) { return key == "contender" || key == "resource" || key == "fault"; }

// The value as TOML reads it; what is not TOML, such as 5s, is a text.
toml::table value_document(const std::string& text, const std::string& source) {
  try {
    return toml::parse("v = " + text, source);
  } catch (const toml::parse_error&) {
    std::string quoted = "v = \"";
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return toml::parse(quoted + "\"", source);
  }
}

}  // namespace

MaybeError apply_override(toml::table& root, const std::string& override_text) {
  const std::string source = "--set " + override_text;
  const auto wrong = [&](std::string message) { return InputError{source, 0, 0, std::move(message)}; };
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) return wrong("expected KEY=VALUE, such as mutex.ttl=1s");
  std::vector<std::string> parts = split(override_text.substr(0, equals));

  toml::table* at = &root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (!at->contains(part)) {
      if (is_list(part) && at == &root) {
        toml::array list;
        list.push_back(toml::table{});
        at->insert(part, std::move(list));
      } else {
        at->insert(part, toml::table{});
      }
    }
    toml::node* next = at->get(part);
    if (toml::array* list = next->as_array()) {
      std::size_t index = 0;
      if (i + 2 < parts.size() && is_index(parts[i + 1], index)) ++i;
      if (index >= list->size())
        return wrong(fmt::format("there is no {}.{}: the list has {}", part, index, list->size()));
      next = list->get(index);
    }
    at = next->as_table();
    if (at == nullptr) return wrong(fmt::format("{} is not a table", part));
  }
  try {
    toml::table document = value_document(override_text.substr(equals + 1), source);
    at->insert_or_assign(parts.back(), std::move(*document.get("v")));
  } catch (const toml::parse_error& error) {
    return wrong(std::string(error.description()));
  }
  return std::nullopt;
}

}  // namespace leasescope
