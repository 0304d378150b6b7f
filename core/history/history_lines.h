// A history's events as JSON lines: one event a line, names and words spelled out, for scripts and checkers.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/history/history.h"

namespace leasescope {

// As a JSON text. Names come from outside and need not be UTF-8: what is not is replaced, never an error half-way
// through a file.
std::string in_quotes(std::string_view text);

// The kind of request that a line's "call" tells of; nothing where there is none of that word.
std::optional<std::int64_t> call_kind_of(std::string_view word);

class HistoryLines {
 public:
  // Appends {"seq":12,"lo_ns":…,"hi_ns":…,"kind":"granted","node":"c1","mutex":"orders","token":33,"cause":9,…} and a
  // line feed; fields that an event of its kind does not use are absent. The same history every time.
  void add(const History& history, Sequence sequence, std::string& out);

 private:
  const std::string& quoted(Name name, const NameTable& names);
  void add_details(const History& history, const Event& event, std::string& out);

  // In quotes; by the last bits of the handle, as there may be names without end.
  struct Quoted {
    Name of;
    std::string text;  // empty: none yet
  };
  std::vector<Quoted> names_;
};

}  // namespace leasescope
