#include "simulator/scenario/overrides.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "simulator/scenario/text_file.h"

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

constexpr std::size_t kMostParts = 64;

// Where the path leads, one table at a time; `*` leads to every one of a list.
class Descent {
 public:
  Descent(toml::table& root, const std::string& override_text)
      : root_(root), source_("--set " + escaped(override_text)), text_(override_text) {}

  MaybeError apply() {
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos || equals == 0) return wrong("expected KEY=VALUE, such as mutex.ttl=1s");
    parts_ = split(text_.substr(0, equals));
    value_ = text_.substr(equals + 1);
    if (parts_.size() > kMostParts || beyond_bounds(value_, source_))
      return wrong(
          fmt::format("keys, lists or tables are nested deeper than {}: expected KEY=VALUE, such as "
                      "mutex.ttl=1s",
                      kMostParts));
    try {
      return into(root_, 0);
    } catch (const toml::parse_error& error) {
      return wrong(std::string(error.description()));
    }
  }

 private:
  InputError wrong(std::string message) const { return InputError{source_, 0, 0, std::move(message)}; }

  MaybeError into(toml::table& at, std::size_t part) {
    const std::string& key = parts_[part];
    if (part + 1 == parts_.size()) {
      toml::table document = value_document(value_, source_);
      at.insert_or_assign(key, std::move(*document.get("v")));
      return std::nullopt;
    }
    if (!at.contains(key)) add(at, key);
    toml::node* next = at.get(key);
    if (toml::array* list = next->as_array()) return into_list(*list, part);
    if (toml::table* table = next->as_table()) return into(*table, part + 1);
    return wrong(fmt::format("{} is not a table", key));
  }

  MaybeError into_list(toml::array& list, std::size_t part) {
    const bool more = part + 2 < parts_.size();
    std::size_t index = 0, end = 1;
    if (more && parts_[part + 1] == "*") {
      end = list.size();
      ++part;
    } else {
      const std::string& key = parts_[part];
      if (more && is_index(parts_[part + 1], index)) ++part;
      end = index + 1;
      if (index >= list.size())
        return wrong(fmt::format("there is no {}.{}: the list has {}", key, index, list.size()));
    }
    for (; index < end; ++index) {
      toml::table* table = list.get(index)->as_table();
      if (table == nullptr) return wrong(fmt::format("{} is not a table", parts_[part]));
      if (MaybeError error = into(*table, part + 1)) return error;
    }
    return std::nullopt;
  }

  void add(toml::table& at, const std::string& key) {
    if (!is_list(key) || &at != &root_) {
      at.insert(key, toml::table{});
      return;
    }
    toml::array list;
    list.push_back(toml::table{});
    at.insert(key, std::move(list));
  }

  toml::table& root_;
  std::string source_;
  std::string text_;
  std::vector<std::string> parts_;
  std::string value_;
};

}  // namespace

MaybeError apply_override(toml::table& root, const std::string& override_text) {
  return Descent(root, override_text).apply();
}

}  // namespace leasescope
