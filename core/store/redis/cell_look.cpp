#include "core/store/redis/cell_look.h"

#include <chrono>
#include <cstdlib>
#include <random>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/store/port.h"
#include "core/store/redis/keys.h"
#include "core/store/redis/scripts.h"

namespace leasescope::redis {
namespace {

constexpr const char* kNonsense = "its answer to a script makes no sense";

bool is(const RespValue& value, CellMode mode) { return value.text == std::to_string(static_cast<int>(mode)); }

bool lasts(const std::vector<RespValue>& cell) {
  if (!is(cell[3], CellMode::kHeld) && !is(cell[3], CellMode::kShared)) return false;
  if (cell[7].text == std::to_string(static_cast<int>(Stamp::kServer))) return cell[6].integer == 0;
  if (cell[7].text != std::to_string(static_cast<int>(Stamp::kClient))) return false;
  const auto now = std::chrono::system_clock::now().time_since_epoch() / std::chrono::microseconds(1);
  return std::strtoll(cell[5].text.c_str(), nullptr, 10) > now;
}

tl::expected<void, std::string> try_calls(Asker& server, const std::string& mutex) {
  const std::string trial = fmt::format("{}:probe:{:08x}", Keys(mutex).lease, std::random_device()());
  const auto set = server.ask({"EVAL", cell_script().text, "1", trial, "0", "0", "probe", "2", "1", "1", "1000000"});
  if (!set) return tl::unexpected(set.error());
  if (set->items.size() != 8 || set->items[0].integer != 1) return tl::unexpected<std::string>(kNonsense);
  const auto gone = server.ask({"DEL", trial});
  if (!gone) return tl::unexpected(gone.error());
  return {};
}

}  // namespace

tl::expected<std::vector<std::string>, std::string> look_at_cells(Asker& server,
                                                                  const std::vector<std::string>& mutexes) {
  std::vector<std::string> holders;
  for (const std::string& mutex : mutexes) {
    if (const auto tried = try_calls(server, mutex); !tried) return tl::unexpected(tried.error());
    std::vector<Asker::Words> questions;
    for (unsigned cell = 0; cell < kMostCells; ++cell)
      questions.push_back({"EVALSHA", cell_script().sha1, "1", Keys(mutex).cell(cell), "0"});
    const auto answers = server.ask_all(questions);
    if (!answers) return tl::unexpected(answers.error());
    holders.emplace_back();
    for (const RespValue& answer : *answers) {
      if (answer.items.size() != 8) return tl::unexpected<std::string>(kNonsense);
      if (holders.back().empty() && lasts(answer.items)) holders.back() = escaped(answer.items[2].text, 200);
    }
  }
  return holders;
}

}  // namespace leasescope::redis
