#include "simulator/scenario/text_edit.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "simulator/scenario/form.h"
#include "simulator/scenario/text_file.h"

namespace leasescope {
namespace {

constexpr const char* kNoPlace = "it is written so that this cannot be changed in its place: change the text";

std::string written_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
  return bare ? key : toml_text(key);
}

std::optional<std::size_t> as_place(const std::string& part) {
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), place);
  if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
  return place;
}

// Tables with a header of their own each, [[fault]].
bool is_list_of_headers(const toml::node& node) {
  const toml::array* const list = node.as_array();
  return list != nullptr && !list->empty() && list->front().is_table() && !list->front().as_table()->is_inline();
}

// The node at the path; null where there is none.
toml::node* node_at(toml::table& root, const TextPath& path) {
  toml::node* at = &root;
  for (const std::string& part : path) {
    if (toml::array* const list = at->as_array()) {
      const auto place = as_place(part);
      at = place ? list->get(*place) : nullptr;
    } else {
      toml::table* const table = at->as_table();
      at = table != nullptr ? table->get(part) : nullptr;
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

// A text with the places of what TOML reads in it.
class Source {
 public:
  explicit Source(const std::string& text) : text_(text), root_(toml::parse(text)) {
    starts_.push_back(0);
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
      starts_.push_back(at + 1);
    crlf_ = text_.find("\r\n") != std::string::npos;
  }

  toml::table& root() { return root_; }
  const std::string& text() const { return text_; }

  // TOML counts lines and letters from 1, and a letter may take several bytes.
  std::size_t offset(toml::source_position at) const {
    std::size_t out = line_start(at.line);
    for (toml::source_index column = 1; column < at.column && out < text_.size(); ++column) {
      ++out;
      while (out < text_.size() && (static_cast<unsigned char>(text_[out]) & 0xC0) == 0x80) ++out;
    }
    return out;
  }
  // Of the line; behind the last one, the end of the text.
  std::size_t line_start(toml::source_index line) const {
    return line >= 1 && line <= starts_.size() ? starts_[line - 1] : text_.size();
  }
  std::string_view line(toml::source_index number) const {
    const std::size_t from = line_start(number);
    return std::string_view(text_).substr(from, line_start(number + 1) - from);
  }
  std::string_view indent(toml::source_index number) const {
    const std::string_view all = line(number);
    return all.substr(0, std::min(all.find_first_not_of(" \t"), all.size()));
  }

  bool has_header(const toml::table& table) const {
    return !table.is_inline() && offset(table.source().begin) < text_.size() &&
           text_[offset(table.source().begin)] == '[';
  }
  // The last line of what stands under this table's own header, or in the file before the first.
  toml::source_index own_end(const toml::table& table) const {
    toml::source_index out = &table == &root_ ? 0 : table.source().begin.line;
    for (const auto& [key, node] : table) {
      const toml::table* const inner = node.as_table();
      if (is_list_of_headers(node) || (inner != nullptr && has_header(*inner))) continue;
      out = std::max(out, inner != nullptr && !inner->is_inline() ? own_end(*inner) : node.source().end.line);
    }
    return out;
  }
  // ... with the tables below it.
  toml::source_index whole_end(const toml::node& node) const {
    toml::source_index out = node.source().end.line;
    if (const toml::table* const table = node.as_table()) {
      for (const auto& [key, inner] : *table) out = std::max(out, whole_end(inner));
    } else if (const toml::array* const list = node.as_array()) {
      for (const toml::node& inner : *list) out = std::max(out, whole_end(inner));
    }
    return out;
  }
  // The first of the comment lines right above a line.
  toml::source_index with_comments_above(toml::source_index number) const {
    while (number > 1) {
      const std::string_view above = line(number - 1);
      const std::size_t first = above.find_first_not_of(" \t");
      if (first == std::string_view::npos || above[first] != '#') break;
      --number;
    }
    return number;
  }
  bool is_blank(toml::source_index number) const {
    return number <= starts_.size() && line(number).find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  std::string replaced(std::size_t from, std::size_t to, std::string_view by) const {
    std::string out = text_;
    return out.replace(from, to - from, by);
  }
  // `lines` end with a line's end, each as the text's own do.
  std::string with_lines(std::size_t at, std::string lines) const {
    if (crlf_)
      for (std::size_t end = lines.find('\n'); end != std::string::npos; end = lines.find('\n', end + 2))
        lines.insert(end, 1, '\r');
    std::string out = text_.substr(0, at);
    if (!out.empty() && out.back() != '\n') out += crlf_ ? "\r\n" : "\n";
    out += lines;
    return out.append(text_, at);
  }

 private:
  std::string text_;
  toml::table root_;
  std::vector<std::size_t> starts_;
  bool crlf_ = false;
};

// The first of the candidates that reads as what is wanted.
EditedText first_that_is(const toml::table& wanted, const std::vector<std::string>& candidates) {
  for (const std::string& text : candidates) try {
      if (toml::parse(text) == wanted) return text;
    } catch (const toml::parse_error&) {
      continue;
    }
  return tl::make_unexpected(std::string(kNoPlace));
}

// Reads the text and changes it; what is no TOML is told.
template <class Change>
EditedText edited(const std::string& toml, Change change) {
  if (const auto beyond = beyond_bounds(toml, "")) return tl::make_unexpected(beyond->message);
  try {
    Source source(toml);
    return change(source);
  } catch (const toml::parse_error& error) {
    return tl::make_unexpected(std::string(error.description()));
  }
}

toml::table parsed_value(const std::string& value) { return toml::parse("v = " + value); }

std::string assignment(const std::string& key, const std::string& value) {
  return fmt::format("{} = {}\n", written_key(key), value);
}

// { a = 1 } with one key more.
std::string in_braces(const Source& source, const toml::table& table, const std::string& key,
                      const std::string& value) {
  std::size_t at = source.offset(table.source().end);
  if (at > 0 && source.text()[at - 1] == '}') --at;
  while (at > 0 && source.text()[at - 1] == ' ') --at;
  return source.replaced(at, at, fmt::format("{}{} = {}", table.empty() ? " " : ", ", written_key(key), value));
}

// The table that a path leads to, where it is to be made: by its own header.
std::string header_of(const TextPath& path) {
  std::vector<std::string> keys;
  for (const std::string& part : path) keys.push_back(written_key(part));
  return fmt::format("{}", fmt::join(keys, "."));
}

std::vector<std::string> ways_to_set(Source& source, const TextPath& path, const std::string& value) {
  std::vector<std::string> out;
  const TextPath above(path.begin(), path.end() - 1);
  if (const toml::node* const there = node_at(source.root(), path)) {
    const toml::table* const table = there->as_table();
    if (is_list_of_headers(*there) || (table != nullptr && !table->is_inline())) return out;
    out.push_back(source.replaced(source.offset(there->source().begin), source.offset(there->source().end), value));
    return out;
  }
  toml::node* const home = node_at(source.root(), above);
  if (const toml::table* const table = home != nullptr ? home->as_table() : nullptr) {
    if (table->is_inline() && !above.empty()) out.push_back(in_braces(source, *table, path.back(), value));
    const toml::source_index last = source.own_end(*table);
    const std::string indent(last > 0 ? source.indent(last) : "");
    out.push_back(source.with_lines(source.line_start(last + 1), indent + assignment(path.back(), value)));
  }
  if (above.empty()) return out;
  const bool in_list = std::any_of(above.begin(), above.end(), [](const std::string& part) { return as_place(part); });
  const std::string lines = assignment(path.back(), value);
  if (!in_list)
    out.push_back(source.with_lines(source.text().size(), fmt::format("\n[{}]\n{}", header_of(above), lines)));
  else if (above.size() == 2 && above.back() == "0" && node_at(source.root(), {above.front()}) == nullptr)
    out.push_back(
        source.with_lines(source.text().size(), fmt::format("\n[[{}]]\n{}", written_key(above.front()), lines)));
  return out;
}

// What the text is to read as.
bool set_in(toml::table& root, const TextPath& path, const std::string& value) {
  toml::node* at = &root;
  for (std::size_t part = 0; part + 1 < path.size(); ++part) {
    if (toml::array* const list = at->as_array()) {
      const auto place = as_place(path[part]);
      at = place ? list->get(*place) : nullptr;
    } else if (toml::table* const table = at->as_table()) {
      if (!table->contains(path[part])) {
        if (as_place(path[part + 1])) {
          toml::array made;
          made.push_back(toml::table{});
          table->insert(path[part], std::move(made));
        } else {
          table->insert(path[part], toml::table{});
        }
      }
      at = table->get(path[part]);
    } else {
      at = nullptr;
    }
    if (at == nullptr) return false;
  }
  toml::table* const table = at->as_table();
  if (table == nullptr) return false;
  toml::table holder = parsed_value(value);
  table->insert_or_assign(path.back(), std::move(*holder.get("v")));
  return true;
}

}  // namespace

TextPath text_path(std::string_view dotted) {
  TextPath out(1);
  for (const char c : dotted)
    if (c == '.')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

EditedText set_in_text(const std::string& toml, const TextPath& path, const std::string& value) {
  return edited(toml, [&](Source& source) -> EditedText {
    toml::table wanted = source.root();
    if (path.empty() || !set_in(wanted, path, value)) return tl::make_unexpected(std::string(kNoPlace));
    return first_that_is(wanted, ways_to_set(source, path, value));
  });
}

EditedText remove_from_text(const std::string& toml, const TextPath& path) {
  return edited(toml, [&](Source& source) -> EditedText {
    const toml::node* const there = node_at(source.root(), path);
    if (there == nullptr) return source.text();
    const TextPath above(path.begin(), path.end() - 1);
    toml::table wanted = source.root();
    toml::node* const home = node_at(wanted, above);
    if (home->as_table() == nullptr) return tl::make_unexpected(std::string(kNoPlace));
    home->as_table()->erase(path.back());
    const toml::table& table = *node_at(source.root(), above)->as_table();
    if (table.is_inline() && !above.empty()) {
      std::ostringstream rest;
      rest << toml::toml_formatter(*home, toml::format_flags::allow_unicode_strings);
      return first_that_is(wanted, {source.replaced(source.offset(table.source().begin),
                                                    source.offset(table.source().end), rest.str())});
    }
    const auto entry = table.find(path.back());
    const std::size_t from = source.line_start(entry->first.source().begin.line);
    const std::size_t to = source.line_start(source.whole_end(entry->second) + 1);
    return first_that_is(wanted, {source.replaced(from, to, "")});
  });
}

EditedText add_table_to_text(const std::string& toml, const std::string& list, const std::string& lines) {
  return edited(toml, [&](Source& source) -> EditedText {
    toml::table wanted = source.root();
    if (!wanted.contains(list)) wanted.insert(list, toml::array{});
    toml::array* const rows = wanted.get(list)->as_array();
    if (rows == nullptr) return tl::make_unexpected(std::string(kNoPlace));
    rows->push_back(toml::parse(lines));
    const std::string table = fmt::format("[[{}]]\n{}", written_key(list), lines);
    const toml::node* const there = source.root().get(list);
    if (there != nullptr && is_list_of_headers(*there)) {
      const toml::source_index last = source.whole_end(there->as_array()->back());
      return first_that_is(wanted, {source.with_lines(source.line_start(last + 1), "\n" + table)});
    }
    // The expectations stay at the end, as people write them.
    std::vector<std::string> ways;
    for (const char* behind : {"expect", "replay"})
      if (const toml::node* const other = source.root().get(behind);
          other != nullptr && other->is_table() && source.has_header(*other->as_table())) {
        const auto above = source.with_comments_above(other->source().begin.line);
        ways.push_back(source.with_lines(source.line_start(above), table + "\n"));
      }
    ways.push_back(source.with_lines(source.text().size(), "\n" + table));
    // An empty list stands in the way: `fault = []`.
    if (there != nullptr && there->as_array()->empty()) {
      const EditedText without = remove_from_text(source.text(), {list});
      if (without) return add_table_to_text(*without, list, lines);
    }
    return first_that_is(wanted, ways);
  });
}

EditedText remove_table_from_text(const std::string& toml, const std::string& list, std::size_t place) {
  return edited(toml, [&](Source& source) -> EditedText {
    const toml::node* const there = source.root().get(list);
    if (there == nullptr || !is_list_of_headers(*there) || place >= there->as_array()->size())
      return tl::make_unexpected(std::string(kNoPlace));
    toml::table wanted = source.root();
    toml::array& rows = *wanted.get(list)->as_array();
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(place));
    if (rows.empty()) wanted.erase(list);
    const toml::node& row = *there->as_array()->get(place);
    const toml::source_index from = source.with_comments_above(row.source().begin.line);
    toml::source_index to = source.whole_end(row) + 1;
    if (source.is_blank(to)) ++to;
    return first_that_is(wanted, {source.replaced(source.line_start(from), source.line_start(to), "")});
  });
}

}  // namespace leasescope
