#include "core/store/zookeeper/foreign/foreign_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/escaped.h"

namespace leasescope::zookeeper {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostFolders = 20'000;   // gone through in a round
constexpr std::int32_t kMostChildren = 1'000;  // of a folder: a longer list is not asked for
constexpr int kMostWalks = 8;                  // at once
constexpr Duration kBetween = milliseconds(2);
constexpr std::size_t kMostLocks = 20'000;
constexpr std::size_t kLarge = 500;      // nodes of a lock: from then on it is measured before it is listed
constexpr std::size_t kMostOwners = 20;  // that are read, of those that hold at once
constexpr std::size_t kLongestOwner = 120;

// The server's own, and ours, which is looked at as such.
constexpr std::array<std::string_view, 2> kNone{"/zookeeper", "/simba"};

std::string child_of(const std::string& folder, const std::string& name) {
  return folder == "/" ? "/" + name : folder + "/" + name;
}

const LineForm* form_of(const std::vector<std::string>& nodes) {
  for (const LineForm& form : line_forms())
    if (std::any_of(nodes.begin(), nodes.end(), [&](const std::string& node) { return place_of(form, node); }))
      return &form;
  return nullptr;
}

// Whether the nodes of a lock whose maker names it by a folder may stand in this one of it.
bool is_inner(const std::string& node) {
  return std::any_of(line_forms().begin(), line_forms().end(),
                     [&](const LineForm& form) { return !form.inner.empty() && form.inner == node; });
}

// A session is one client's for all its locks; what it calls itself may be a host's address alone.
std::string owner_of(const LineForm& form, const std::string& node, const NodeFacts& facts) {
  const std::string data = escaped(facts.data, kLongestOwner);
  if (form.named_by_data) return data.empty() ? node : data;
  const std::string session = fmt::format("session 0x{:x}", static_cast<std::uint64_t>(facts.owner));
  return data.empty() ? session : fmt::format("{} ({})", data, session);
}

}  // namespace

ForeignLines::ForeignLines(Loop& loop, const ObserverTerms& terms, KeptSession& session, Ends ends)
    : loop_(&loop), terms_(terms), session_(&session), ends_(std::move(ends)), next_(loop) {}

// ---- which folders are one

void ForeignLines::go_round() {
  for (Place& of : locks_)
    if (!of.second.watched) look(of);
  if (!to_walk_.empty() || walks_ > 0) return;  // the round before lasts
  walked_ = 0;
  more_ = false;
  if (terms_.mutexes.empty()) to_walk_.emplace_back("/");
  for (const std::string& mutex : terms_.mutexes)
    if (mutex.size() > 1 && mutex.front() == '/') to_walk_.push_back(mutex);
  walk();
}

void ForeignLines::walk() {
  if (!session_->stands()) return;
  while (!to_walk_.empty() && walks_ < kMostWalks) {
    const std::string folder = std::move(to_walk_.front());
    to_walk_.pop_front();
    ++walked_;
    ++walks_;
    measure(folder);
  }
  if (walks_ > 0) return session_->go_on();
  if (more_)
    ends_.remark(fmt::format("locks of other makers are looked for in {} folders: there are more", kMostFolders));
  whole_ = true;
  ends_.all_seen();
}

// Whoever walks rests now and then, as others want to be answered too.
void ForeignLines::leave() {
  if (--walks_ == 0) next_.arm(kBetween, [this] { walk(); });
}

void ForeignLines::measure(const std::string& folder) {
  ++asked_;
  const TrueTime asked = loop_->now();
  session_->session().measure(
      folder, [this, folder, asked](Outcome outcome, const NodeSize& size, const std::string& error) {
        if (outcome == Outcome::kLineLost) return;
        ends_.answered(asked);
        if (outcome == Outcome::kRefused) remark_refused(folder, error);  // from ZooKeeper 3.9 on
        if (outcome != Outcome::kOk || size.children == 0) {
          compare(folder, outcome, {});
          return leave();
        }
        if (size.children <= kMostChildren) return list(folder);
        ends_.remark(fmt::format("{} has more than {} nodes: locks of other makers are not looked for among them",
                                 folder, kMostChildren));
        leave();
      });
}

void ForeignLines::list(const std::string& folder) {
  ++asked_;
  const TrueTime asked = loop_->now();
  session_->session().list(
      folder, [this, folder, asked](Outcome outcome, const std::vector<std::string>& nodes, const std::string& error) {
        if (outcome == Outcome::kLineLost) return;
        ends_.answered(asked);
        compare(folder, outcome, nodes);
        if (outcome == Outcome::kOk) judge(folder, nodes);
        if (outcome == Outcome::kRefused) remark_refused(folder, error);
        leave();
      });
  session_->go_on();
}

void ForeignLines::remark_refused(const std::string& folder, const std::string& error) {
  ends_.refused(folder, error + ": locks of other makers in it are not watched");
}

// Of what changes while a lock may not be read no watch tells, nor that it may not be: it is looked at where it is
// refused, or not as it was.
void ForeignLines::compare(const std::string& folder, Outcome outcome, const std::vector<std::string>& nodes) {
  const auto known = locks_.find(folder);
  if (known == locks_.end() || known->second.open) return;
  if (outcome == Outcome::kRefused || line_of(*known->second.form, nodes) != known->second.line) look(*known);
}

bool ForeignLines::is_named(const std::string& folder) const {
  return std::find(terms_.mutexes.begin(), terms_.mutexes.end(), folder) != terms_.mutexes.end();
}

void ForeignLines::judge(const std::string& folder, const std::vector<std::string>& nodes) {
  const LineForm* const form = form_of(nodes);
  if (form == nullptr) {
    for (const std::string& node : nodes) {
      const std::string child = child_of(folder, node);
      const bool wanted = terms_.mutexes.empty() || (is_inner(node) && is_named(folder));
      if (!wanted || std::find(kNone.begin(), kNone.end(), child) != kNone.end()) continue;
      more_ = more_ || walked_ + to_walk_.size() >= kMostFolders;
      if (!more_) to_walk_.push_back(child);
    }
    return;
  }
  if (locks_.size() >= kMostLocks && locks_.count(folder) == 0) {
    more_ = true;
    return;
  }
  const auto [place, is_new] = locks_.try_emplace(folder);
  if (!is_new) return;
  place->second.form = form;
  ++first_looks_;
  look(*place);
}

// ---- one of them

void ForeignLines::look(Place& of) {
  Lock& lock = of.second;
  if (!session_->stands()) return;
  if (std::exchange(lock.open, true)) {
    lock.again = true;
    return;
  }
  lock.again = false;
  lock.asked = loop_->now();
  if (!lock.large) return list(of);
  ++asked_;
  session_->session().measure(of.first, [this, &of](Outcome outcome, const NodeSize& size, const std::string& error) {
    if (outcome == Outcome::kLineLost) return;
    ends_.answered(of.second.asked);
    if (outcome == Outcome::kOk && size.children > kMostChildren) {
      ends_.remark(fmt::format("{}: it has more than {} nodes", of.first, kMostChildren));
      return hide(of);
    }
    if (outcome == Outcome::kRefused) return refuse(of, error);
    list(of);
  });
  session_->go_on();
}

// Of a folder that is not there the server keeps no watch.
void ForeignLines::list(Place& of) {
  Lock& lock = of.second;
  ++asked_;
  lock.read = loop_->now();
  Session::Gone changed;
  if (lock.exists && !std::exchange(lock.watched, true))
    changed = [this, &of] {
      of.second.watched = false;
      look(of);
    };
  session_->session().list(
      of.first,
      [this, &of](Outcome outcome, const std::vector<std::string>& nodes, const std::string& error) {
        on_listed(of, outcome, nodes, error);
      },
      std::move(changed));
  session_->go_on();
}

void ForeignLines::on_listed(Place& of, Outcome outcome, const std::vector<std::string>& nodes,
                             const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  ends_.answered(of.second.read);
  const bool existed = std::exchange(of.second.exists, outcome == Outcome::kOk);
  if (outcome != Outcome::kOk) of.second.watched = false;
  if (of.second.exists && !existed) of.second.again = true;  // now it can be watched
  of.second.large = nodes.size() > kLarge;
  if (outcome != Outcome::kOk && outcome != Outcome::kNoNode) return refuse(of, error);
  of.second.line = line_of(*of.second.form, nodes);
  of.second.owners.clear();
  of.second.token = kNoToken;
  read_next(of);
}

std::size_t ForeignLines::holders(const Lock& of) const { return of.form->holders(of.line); }

void ForeignLines::read_next(Place& of) {
  const std::size_t at = of.second.owners.size();
  if (at >= std::min(holders(of.second), kMostOwners)) return see(of);
  ++asked_;
  of.second.read = loop_->now();
  session_->session().look(child_of(of.first, of.second.line[at]),
                           [this, &of](Outcome outcome, const NodeFacts& facts, const std::string& error) {
                             on_read(of, outcome, facts, error);
                           });
  session_->go_on();
}

void ForeignLines::on_read(Place& of, Outcome outcome, const NodeFacts& facts, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  Lock& lock = of.second;
  ends_.answered(lock.read);
  if (outcome == Outcome::kNoNode) {  // it went in between
    lock.open = false;
    return look(of);
  }
  if (outcome != Outcome::kOk) return refuse(of, error);
  if (lock.owners.empty() && lock.form->has_tokens) lock.token = static_cast<Token>(facts.czxid);
  lock.owners.push_back(owner_of(*lock.form, lock.line[lock.owners.size()], facts));
  read_next(of);
}

void ForeignLines::refuse(Place& of, const std::string& error) {
  ends_.refused(of.first, error);
  hide(of);
}

// Who may not look at it does not know that nobody holds it.
void ForeignLines::hide(Place& of) {
  Lock& lock = of.second;
  lock.open = false;
  ends_.hidden(of.first, lock.form->maker, lock.asked);
  tell_if_first(of);
  if (lock.again) look(of);
}

void ForeignLines::tell_if_first(Place& of) {
  if (std::exchange(of.second.known, true)) return;
  --first_looks_;
  if (all_seen()) ends_.all_seen();
}

void ForeignLines::see(Place& of) {
  Lock& lock = of.second;
  const std::size_t held = holders(lock);
  Sighting seen;
  seen.mutex = of.first;
  seen.maker = lock.form->maker;
  seen.system = lock.form->system;
  if (!lock.owners.empty() && lock.form->shares != nullptr && lock.form->shares(lock.line))
    share(seen, lock.owners, static_cast<std::uint32_t>(held - lock.owners.size()));
  else if (!lock.owners.empty())
    seen.owner = lock.owners.front();
  if (held == 1) seen.token = lock.token;
  seen.queue.assign(lock.line.begin() + static_cast<std::ptrdiff_t>(held), lock.line.end());
  if (lock.form->shows_waiters) seen.waiters = static_cast<std::uint32_t>(seen.queue.size());
  for (std::size_t i = 0; i < lock.line.size(); ++i)
    seen.raw.emplace_back(child_of(of.first, lock.line[i]), i < std::min(held, kMostOwners) ? lock.owners[i] : "");
  seen.asked = lock.asked;
  seen.answered = loop_->now();
  lock.open = false;
  ends_.seen(seen);
  tell_if_first(of);
  if (lock.again) look(of);
}

void ForeignLines::lose_line() {
  to_walk_.clear();
  walks_ = 0;
  next_.cancel();
  for (auto& [folder, lock] : locks_) lock.open = lock.watched = false;
}

}  // namespace leasescope::zookeeper
