#include "core/store/foreign_rows.h"

#include <algorithm>
#include <utility>

namespace leasescope {
namespace {

constexpr const char* kSomebody = "somebody";  // the store does not say who

// An answer that is full may lack rows of its last lock. Returns up to which name it is whole; empty: it is.
std::string leave_out_last(std::vector<ForeignRow>& rows) {
  if (rows.size() < kMostForeignRows) return {};
  std::string last = rows.back().mutex;
  while (!rows.empty() && rows.back().mutex == last) rows.pop_back();
  return last;
}

struct Found {
  Sighting seen;
  std::vector<std::string> holders;  // each once
  bool shares = true;                // each of them
};

void name_holders(Found& of) {
  if (of.holders.size() > 1 || (of.holders.size() == 1 && of.shares))
    share(of.seen, of.holders);
  else if (!of.holders.empty())
    of.seen.owner = of.holders.front();
}

}  // namespace

Sighting ForeignRows::sighting_of(const std::string& mutex) const {
  Sighting out;
  out.mutex = mutex;
  out.maker = form_->maker;
  out.system = form_->system;
  out.likely = form_->likely;
  out.waiters = 0;
  return out;
}

ForeignRows::Turn ForeignRows::turn(TrueTime now) const {
  if (form_->present == nullptr) return now >= not_before_ ? Turn::kRead : Turn::kNone;
  if (now >= not_before_) return Turn::kTry;
  return there_ ? Turn::kRead : Turn::kNone;
}

std::vector<std::string> ForeignRows::lose_sight() {
  tells_all_ = true;
  const std::set<std::string> lost = std::exchange(held_, {});
  return {lost.begin(), lost.end()};
}

std::vector<std::string> ForeignRows::tried(bool there, TrueTime now, Duration again) {
  there_ = there;
  not_before_ = now + again;
  return there ? std::vector<std::string>{} : lose_sight();
}

std::vector<std::string> ForeignRows::refused(TrueTime now, Duration again) {
  there_ = false;
  not_before_ = now + again;
  return lose_sight();
}

ForeignRows::Seen ForeignRows::see(std::vector<ForeignRow> rows, const std::vector<std::string>& only) {
  Seen out;
  const std::string whole_to = leave_out_last(rows);
  out.cut = !whole_to.empty();
  std::map<std::string, Found> there;
  for (const ForeignRow& row : rows) {
    if (!only.empty() && std::find(only.begin(), only.end(), row.mutex) == only.end()) continue;
    Found& found = there.try_emplace(row.mutex, Found{sighting_of(row.mutex), {}, true}).first->second;
    Sighting& seen = found.seen;
    const std::string who = row.who.empty() ? kSomebody : row.who;
    const bool twice =
        std::any_of(seen.raw.begin(), seen.raw.end(), [&](const auto& each) { return each.first == who; });
    if (row.is_nobodys) {
      found.shares = false;
      seen.note = row.how;
      if (!row.how.empty()) seen.raw.emplace_back("note", row.how);
      continue;
    }
    seen.raw.emplace_back(who, row.how);
    if (row.left_ms) seen.left = std::chrono::milliseconds(*row.left_ms);
    if (row.waits) {
      ++*seen.waiters;
      if (form_->in_line) seen.queue.push_back(who);
      continue;
    }
    seen.token = row.token;
    if (!twice) found.holders.push_back(who);  // else it is held in two ways
    found.shares = found.shares && form_->lets_share != nullptr && form_->lets_share(row.how);
  }
  std::set<std::string> gone = std::exchange(held_, {});
  if (std::exchange(tells_all_, false)) gone.insert(met_.begin(), met_.end());
  for (auto& [mutex, found] : there) {
    name_holders(found);
    const Sighting& seen = found.seen;
    // What is told of while somebody waits has one who holds, too, unless that changed while it was read.
    if (form_->while_waited && (seen.owner.empty() || *seen.waiters == 0)) continue;
    held_.insert(mutex);
    met_.insert(mutex);
    gone.erase(mutex);
    out.told.push_back(seen);
  }
  for (const std::string& mutex : gone) {
    if (form_->while_waited || (out.cut && mutex >= whole_to))
      out.hidden.push_back(mutex);
    else
      out.told.push_back(sighting_of(mutex));
  }
  return out;
}

}  // namespace leasescope
