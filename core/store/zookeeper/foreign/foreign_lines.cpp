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

std::string name_of(const std::string& folder) { return folder.substr(folder.rfind('/') + 1); }
std::string parent_of(const std::string& folder) {
  const std::size_t end = folder.rfind('/');
  return end == 0 ? "/" : folder.substr(0, end);
}

bool has(const std::vector<std::string>& nodes, std::string_view name) {
  return std::find(nodes.begin(), nodes.end(), name) != nodes.end();
}

// Whether the nodes of a lock whose maker names it by a folder may stand in this one of that folder's, or who waits
// for it.
bool is_part(const std::string& node, const std::vector<std::string>& beside) {
  return std::any_of(line_forms().begin(), line_forms().end(), [&](const LineForm& form) {
    return !form.inner.empty() && (form.inner == node || (form.queue == node && has(beside, form.inner)));
  });
}

// The lock whose waiters may stand in such a folder; null: there is none such.
const LineForm* form_queueing_in(const std::string& folder, const std::vector<std::string>& nodes) {
  for (const LineForm& form : line_forms())
    if (!form.queue.empty() && form.queue == name_of(folder) && !queue_of(form, nodes).empty()) return &form;
  return nullptr;
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
  for (Place& of : locks_) {
    const Folder& queue = of.second.queue;
    if (!of.second.nodes.watched || (!queue.path.empty() && !queue.watched)) look(of);
  }
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
  session_->session().list(folder,
                           [this, folder, asked](Outcome outcome, const NodeList& in, const std::string& error) {
                             if (outcome == Outcome::kLineLost) return;
                             ends_.answered(asked);
                             compare(folder, outcome, in.names);
                             if (outcome == Outcome::kOk) judge(folder, in.names);
                             if (outcome == Outcome::kRefused) remark_refused(folder, error);
                             leave();
                           });
  session_->go_on();
}

void ForeignLines::remark_refused(const std::string& folder, const std::string& error) {
  ends_.refused(folder, error + ": locks of other makers in it are not watched");
}

// The lock that this folder, or one around it, is known as.
ForeignLines::Place* ForeignLines::standing_in(const std::string& folder) {
  const auto own = locks_.find(folder);
  if (own != locks_.end() && own->second.nodes.path == folder && !own->second.none) return &*own;
  const auto outer = locks_.find(parent_of(folder));
  const bool in_it =
      outer != locks_.end() && (outer->second.nodes.path == folder || outer->second.queue.path == folder);
  return in_it ? &*outer : nullptr;
}

// Of what changes while a lock may not be read no watch tells, nor that it may not be: it is looked at where it is
// refused, or not as it was.
void ForeignLines::compare(const std::string& folder, Outcome outcome, const Nodes& nodes) {
  Place* const of = standing_in(folder);
  if (of == nullptr || of->second.open) return;
  const Lock& lock = of->second;
  const bool is_same =
      folder == lock.queue.path ? queue_of(*lock.form, nodes) == lock.waiting : line_of(*lock.form, nodes) == lock.line;
  if (outcome == Outcome::kRefused || !is_same) look(*of);
}

bool ForeignLines::is_named(const std::string& folder) const { return has(terms_.mutexes, folder); }

void ForeignLines::judge(const std::string& folder, const Nodes& nodes) {
  const LineForm* const form = form_of(nodes);
  if (form == nullptr) return go_deeper(folder, nodes);
  const LineForm* const whose = form_queueing_in(folder, nodes);
  whose == nullptr ? take(folder, *form) : tell_apart(folder, *form, *whose);
}

void ForeignLines::go_deeper(const std::string& folder, const Nodes& nodes) {
  for (const std::string& node : nodes) {
    const std::string child = child_of(folder, node);
    const bool wanted = terms_.mutexes.empty() || (is_named(folder) && is_part(node, nodes));
    if (!wanted || std::find(kNone.begin(), kNone.end(), child) != kNone.end()) continue;
    more_ = more_ || walked_ + to_walk_.size() >= kMostFolders;
    if (!more_) to_walk_.push_back(child);
  }
}

// Its nodes are those of a lock of their own, unless beside it is what they wait for: where that is empty, or may not
// be read, it is taken to be.
void ForeignLines::tell_apart(const std::string& folder, const LineForm& form, const LineForm& whose) {
  const std::string outer = parent_of(folder), beside = child_of(outer, std::string(whose.inner));
  const auto known = locks_.find(outer);
  if (known != locks_.end() && known->second.queue.path == folder) return;
  ++walks_;
  ++asked_;
  const auto settle = [this, folder, beside, &form, &whose](bool is_queue, bool large) {
    is_queue ? take(beside, whose, large) : take(folder, form);
    leave();
  };
  const auto listed = [this, settle, &whose, asked = loop_->now()](Outcome outcome, const NodeList& in,
                                                                   const std::string& /*error*/) {
    if (outcome == Outcome::kLineLost) return;
    ends_.answered(asked);
    const bool others = outcome == Outcome::kOk && !in.names.empty() && line_of(whose, in.names).empty();
    settle(outcome != Outcome::kNoNode && !others, false);
  };
  session_->session().measure(beside, [this, beside, settle, listed, asked = loop_->now()](
                                          Outcome outcome, const NodeSize& size, const std::string& /*error*/) {
    if (outcome == Outcome::kLineLost) return;
    ends_.answered(asked);
    if (outcome != Outcome::kOk || size.children == 0 || size.children > kMostChildren)
      return settle(outcome != Outcome::kNoNode, size.children > kMostChildren);
    ++asked_;
    session_->session().list(beside, listed);
    session_->go_on();
  });
  session_->go_on();
}

void ForeignLines::take(const std::string& folder, const LineForm& form, bool large) {
  const bool is_inner = !form.inner.empty() && name_of(folder) == form.inner;
  const std::string mutex = is_inner ? parent_of(folder) : folder;
  if (locks_.size() >= kMostLocks && locks_.count(mutex) == 0) {
    more_ = true;
    return;
  }
  const auto [place, is_new] = locks_.try_emplace(mutex);
  if (!is_new) return;
  Lock& lock = place->second;
  lock.form = &form;
  lock.nodes.path = folder;
  lock.nodes.large = large;
  ++first_looks_;
  if (is_inner && !form.queue.empty()) {
    lock.queue.path = child_of(mutex, std::string(form.queue));
    lock.queue.large = true;  // nobody has measured it
    if (const auto own = locks_.find(lock.queue.path); own != locks_.end()) retire(*own);
  }
  look(*place);
}

// What it waits for was not there yet when it was met.
void ForeignLines::retire(Place& of) {
  if (std::exchange(of.second.none, true)) return;
  if (of.second.known) ends_.hidden(of.first, of.second.form->maker, loop_->now());
  tell_if_first(of);
}

// ---- one of them

void ForeignLines::look(Place& of) {
  Lock& lock = of.second;
  if (!session_->stands() || lock.none) return;
  if (std::exchange(lock.open, true)) {
    lock.again = true;
    return;
  }
  lock.again = false;
  lock.asked = loop_->now();
  look_into(of, lock.nodes);
}

void ForeignLines::look_into(Place& of, Folder& in) {
  if (!in.large) return list(of, in);
  ++asked_;
  session_->session().measure(in.path,
                              [this, &of, &in](Outcome outcome, const NodeSize& size, const std::string& error) {
                                if (outcome == Outcome::kLineLost) return;
                                of.second.read = of.second.asked;
                                if (outcome == Outcome::kOk && size.children > kMostChildren)
                                  return on_too_many(of, in);
                                if (outcome == Outcome::kRefused) return on_listed(of, in, outcome, {}, error);
                                ends_.answered(of.second.asked);
                                list(of, in);
                              });
  session_->go_on();
}

// Of a folder that is not there the server keeps no watch.
void ForeignLines::list(Place& of, Folder& in) {
  ++asked_;
  of.second.read = loop_->now();
  Session::Gone changed;
  if (in.exists && !std::exchange(in.watched, true))
    changed = [this, &of, &in] {
      in.watched = false;
      look(of);
    };
  session_->session().list(
      in.path,
      [this, &of, &in](Outcome outcome, const NodeList& list, const std::string& error) {
        if (&in == &of.second.nodes && list.changed > 0) of.second.changed = list.changed;
        on_listed(of, in, outcome, list.names, error);
      },
      std::move(changed));
  session_->go_on();
}

void ForeignLines::on_listed(Place& of, Folder& in, Outcome outcome, const Nodes& nodes, const std::string& error) {
  if (outcome == Outcome::kLineLost) return;
  Lock& lock = of.second;
  ends_.answered(lock.read);
  const bool existed = std::exchange(in.exists, outcome == Outcome::kOk);
  if (outcome != Outcome::kOk) in.watched = false;
  if (in.exists && !existed) lock.again = true;  // now it can be watched
  if (in.exists) in.large = nodes.size() > kLarge;
  const bool told = outcome == Outcome::kOk || outcome == Outcome::kNoNode;
  if (&in == &lock.nodes) return told ? on_line(of, nodes) : refuse(of, error);
  if (!told) {
    lock.shows_waiters = false;
    ends_.refused(in.path, error + ": who waits is not known");
  }
  on_queue(of, nodes);
}

void ForeignLines::on_too_many(Place& of, Folder& in) {
  Lock& lock = of.second;
  ends_.answered(lock.read);
  in.watched = false;
  const bool is_queue = &in != &lock.nodes;
  ends_.remark(fmt::format("{}: it has more than {} nodes{}", in.path, kMostChildren,
                           is_queue ? ": who waits is not known" : ""));
  if (!is_queue) return hide(of);
  lock.shows_waiters = false;
  on_queue(of, {});
}

void ForeignLines::on_line(Place& of, const Nodes& nodes) {
  Lock& lock = of.second;
  lock.line = line_of(*lock.form, nodes);
  lock.waiting.clear();
  lock.owners.clear();
  lock.token = kNoToken;
  lock.last_waits = false;
  // Only where it is named by the folder around is it known where its queue stands.
  lock.shows_waiters = lock.form->shows_waiters && lock.form->queue.empty() == lock.queue.path.empty();
  lock.queue.path.empty() ? read_next(of) : look_into(of, lock.queue);
}

// The first of a queue makes a node in the line, and holds by it when enough of the others have gone. One that held
// before goes on doing so.
void ForeignLines::on_queue(Place& of, const Nodes& nodes) {
  Lock& lock = of.second;
  lock.waiting = queue_of(*lock.form, nodes);
  if (lock.waiting.empty() || lock.line.empty() || has(lock.held, lock.line.back())) return read_next(of);
  read(of, child_of(lock.queue.path, lock.waiting.front()), &ForeignLines::on_first_waiter);
}

void ForeignLines::on_first_waiter(Place& of, const NodeFacts& first) {
  Lock& lock = of.second;
  lock.first = first;
  read(of, child_of(lock.nodes.path, lock.line.back()), &ForeignLines::on_last);
}

void ForeignLines::on_last(Place& of, const NodeFacts& last) {
  Lock& lock = of.second;
  lock.last_waits = last.owner == lock.first.owner && last.czxid > lock.first.czxid;
  read_next(of);
}

std::size_t ForeignLines::holders(const Lock& of) const {
  return of.form->holders(of.line) - (of.last_waits ? 1U : 0U);
}

void ForeignLines::read(Place& of, const std::string& node, OnFacts then) {
  ++asked_;
  of.second.read = loop_->now();
  session_->session().look(node, [this, &of, then](Outcome outcome, const NodeFacts& facts, const std::string& error) {
    if (outcome == Outcome::kLineLost) return;
    ends_.answered(of.second.read);
    if (outcome == Outcome::kNoNode) {  // it went in between
      of.second.open = false;
      return look(of);
    }
    outcome == Outcome::kOk ? (this->*then)(of, facts) : refuse(of, error);
  });
  session_->go_on();
}

void ForeignLines::read_next(Place& of) {
  const std::size_t at = of.second.owners.size();
  if (at >= std::min(holders(of.second), kMostOwners)) return see(of);
  read(of, child_of(of.second.nodes.path, of.second.line[at]), &ForeignLines::on_owner);
}

void ForeignLines::on_owner(Place& of, const NodeFacts& facts) {
  Lock& lock = of.second;
  if (lock.owners.empty() && lock.form->has_tokens) lock.token = static_cast<Token>(facts.czxid);
  lock.owners.push_back(owner_of(*lock.form, lock.line[lock.owners.size()], facts));
  read_next(of);
}

void ForeignLines::refuse(Place& of, const std::string& error) {
  if (!of.second.none) ends_.refused(of.first, error);
  hide(of);
}

// Who may not look at it does not know that nobody holds it.
void ForeignLines::hide(Place& of) {
  Lock& lock = of.second;
  lock.open = false;
  if (lock.none) return;
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
  lock.open = false;
  if (lock.none) return;
  const std::size_t held = holders(lock);
  const auto first_waits = lock.line.begin() + static_cast<std::ptrdiff_t>(held);
  lock.held.assign(lock.line.begin(), first_waits);
  Sighting seen;
  seen.mutex = of.first;
  seen.maker = lock.form->maker;
  seen.system = lock.form->system;
  if (!lock.owners.empty() && lock.form->shares != nullptr && lock.form->shares(lock.line))
    share(seen, lock.owners, static_cast<std::uint32_t>(held - lock.owners.size()));
  else if (!lock.owners.empty())
    seen.owner = lock.owners.front();
  seen.changes = lock.changed;  // whoever comes where nobody stands holds it
  if (held == 1) seen.token = lock.token;
  seen.queue = lock.queue.path.empty() ? NodeLine(first_waits, lock.line.end()) : lock.waiting;
  if (lock.shows_waiters) seen.waiters = static_cast<std::uint32_t>(seen.queue.size());
  for (std::size_t i = 0; i < lock.line.size(); ++i)
    seen.raw.emplace_back(child_of(lock.nodes.path, lock.line[i]),
                          i < std::min(held, kMostOwners) ? lock.owners[i] : "");
  for (const std::string& node : lock.waiting) seen.raw.emplace_back(child_of(lock.queue.path, node), "");
  seen.asked = lock.asked;
  seen.answered = loop_->now();
  ends_.seen(seen);
  tell_if_first(of);
  if (lock.again) look(of);
}

void ForeignLines::lose_line() {
  to_walk_.clear();
  walks_ = 0;
  next_.cancel();
  for (auto& [folder, lock] : locks_) lock.open = lock.nodes.watched = lock.queue.watched = false;
}

}  // namespace leasescope::zookeeper
