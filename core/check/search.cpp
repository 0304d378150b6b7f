#include "core/check/search.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "core/base/expect.h"
#include "core/check/search_memo.h"
#include "core/check/search_window.h"

namespace leasescope::check {
namespace {

// One way on from a configuration: so it is after the return, and these took effect for it.
struct Way {
  Config config;
  Indices chain;
};

class Searcher {
 public:
  Searcher(const Model& model, const std::vector<Op>& ops, const OutOfTime& out_of_time)
      : model_(model), ops_(ops), out_of_time_(out_of_time), window_(ops) {
    find_classes();
  }

  Searched run(std::uint64_t patience);

 private:
  // Ways that begin with other ops than the one that returns, looked for one after the other, the shortest first.
  struct Chains {
    explicit Chains(std::uint64_t& compared) : met(compared) {}
    struct Node {
      Config config;
      Index parent;
      Index op;
      Name bound;  // whose call must be next; empty = anybody's
    };
    std::vector<Node> nodes;
    Indices candidates;  // sorted by class, the first that returns first
    Memo met;
    std::size_t cursor = 0;  // the node to be grown next
    std::size_t tried = 0;   // nodes after which the returning op was tried
  };
  enum class Stage : std::uint8_t { kDirect, kDrop, kChains, kDone };
  struct Frame {
    std::size_t place;
    Config config;
    Indices chain;  // by which it was reached
    Stage stage = Stage::kDirect;
    std::unique_ptr<Chains> chains;
  };

  struct Step {
    Indices chain;
    std::size_t from;
  };
  struct Reached {
    Config config;
    std::size_t step;
  };

  void find_classes();
  std::size_t settle(std::size_t place, Config& config) const;
  bool push(std::size_t place, Way way);
  std::optional<Searched> deep(std::uint64_t patience);
  bool may_become(const Config& a, const Config& b) const;
  Searched wide();
  Indices order_of(std::size_t step) const;
  std::optional<Way> next(Frame& frame);
  std::optional<Way> direct(const Frame& frame) const;
  std::optional<Way> through_chains(Frame& frame);
  std::unique_ptr<Chains> begin_chains(const Frame& frame);
  bool grow(Chains& chains, Index returning);
  std::optional<Way> end_chain(const Chains& chains, std::size_t node, Index returning) const;
  Indices helpers(const Frame& frame, Index returning);
  Config with(const Config& config, State state, Index op) const;
  bool late(const State& state, Index returning) const;
  Name bound(const State& before, Index op) const;
  bool time_is_up();
  bool ask();

  const Model model_;
  const std::vector<Op>& ops_;
  const OutOfTime& out_of_time_;
  Window window_;
  Indices classes_;             // ops of one class do the same to any state
  std::vector<Frame> stack_;    // deep
  std::uint64_t compared_ = 0;  // by the memos, and to find what could help
  Memo failed_{compared_};
  std::map<std::size_t, std::vector<Reached>> reached_;  // wide
  std::vector<Step> steps_;
  std::uint64_t work_ = 0, asked_ = 0;
  std::size_t held_ = 0;  // configurations remembered
  bool up_ = false;
};

// Of two that do the same, the one that returns first may as well come first: whoever has an order with the other one
// there can exchange them. When a lease's call takes effect hangs on when it was called: those are the same only where
// none of them returns, and the one called first is the better.
void Searcher::find_classes() {
  classes_.resize(ops_.size());
  const bool owners = model_.kind != ModelKind::kMutex;
  const auto sort_of = [&](Index i) {
    const Call& call = *ops_[i].call;
    const int kind = takes(call.f) ? 0 : call.f == Operation::kExpire ? 1 : frees(call.f) ? 2 : 3;
    const int reads = call.f == Operation::kReadLock || call.f == Operation::kReadUnlock ? 1 : 0;
    const Index itself = model_.kind == ModelKind::kLease && ops_[i].returned != kNever ? i : kNone;
    return std::tuple(kind, reads, owners ? call.client.handle : 0, call.fence, call.permits, call.ttl, call.deadline,
                      ops_[i].must, itself);
  };
  Indices order(ops_.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return sort_of(a) < sort_of(b); });
  Index now = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && sort_of(order[i - 1]) != sort_of(order[i])) ++now;
    classes_[order[i]] = now;
  }
}

// After a step.
bool Searcher::time_is_up() {
  ++work_;
  return ask();
}

// Also when there is no room left for what is still possible.
bool Searcher::ask() {
  constexpr std::size_t kMost = 2'000'000;
  constexpr std::uint64_t kBetween = 256, kComparedInAStep = 16;
  if (held_ > kMost) up_ = true;
  for (const std::uint64_t due = (work_ + compared_ / kComparedInAStep) / kBetween; asked_ < due && !up_; ++asked_)
    up_ = out_of_time_ && out_of_time_();
  return up_;
}

Config Searcher::with(const Config& config, State state, Index op) const {
  Config out{std::move(state), config.taken, config.spent};
  insert_sorted(ops_[op].returned == kNever ? out.spent : out.taken, op);
  return out;
}

// The next return that is not settled yet; the row's length when there is none.
std::size_t Searcher::settle(std::size_t place, Config& config) const {
  Indices& taken = config.taken;
  for (; place < window_.size(); ++place) {
    if (!window_.mark(place).returns) continue;
    const auto found = std::lower_bound(taken.begin(), taken.end(), window_.mark(place).op);
    if (found == taken.end() || *found != window_.mark(place).op) break;
    taken.erase(found);
  }
  return place;
}

// True when the end is reached.
bool Searcher::push(std::size_t place, Way way) {
  place = settle(place, way.config);
  if (place < window_.size() && failed_.covers(place, way.config)) return false;
  stack_.push_back({place, std::move(way.config), std::move(way.chain), Stage::kDirect, nullptr});
  return place == window_.size();
}

std::optional<Way> Searcher::direct(const Frame& frame) const {
  const Index returning = window_.mark(frame.place).op;
  State state = frame.config.state;
  if (!step(model_, state, *ops_[returning].call)) return std::nullopt;
  return Way{{std::move(state), frame.config.taken, frame.config.spent}, {returning}};
}

// The next way on; none when all were tried.
std::optional<Way> Searcher::next(Frame& frame) {
  const Op& op = ops_[window_.mark(frame.place).op];
  while (frame.stage != Stage::kDone) {
    switch (frame.stage) {
      case Stage::kDirect:
        frame.stage = Stage::kDrop;
        if (auto way = direct(frame)) return way;
        break;
      case Stage::kDrop:
        frame.stage = Stage::kChains;
        if (!op.must) return Way{frame.config, {}};
        break;
      default:
        if (!frame.chains) frame.chains = begin_chains(frame);
        if (auto way = through_chains(frame)) return way;
        held_ -= frame.chains->nodes.size() - 1;
        frame.chains.reset();
        frame.stage = Stage::kDone;
    }
  }
  return std::nullopt;
}

// The open ops that can matter to the one that returns, to one of those, and so on.
Indices Searcher::helpers(const Frame& frame, Index returning) {
  window_.go_to(frame.place);
  Indices open;
  window_.each([&](Index op) {
    const bool twin = classes_[op] == classes_[returning];  // the returning one comes first
    if (!twin && !contains(frame.config.taken, op) && !contains(frame.config.spent, op)) open.push_back(op);
  });
  Indices out{returning};
  for (std::size_t i = 0; i < out.size() && !ask(); ++i) {
    compared_ += open.size();
    const auto rest = std::stable_partition(
        open.begin(), open.end(), [&](Index op) { return !matters(model_.kind, *ops_[op].call, *ops_[out[i]].call); });
    out.insert(out.end(), rest, open.end());
    open.erase(rest, open.end());
  }
  out.erase(out.begin());
  return out;
}

std::unique_ptr<Searcher::Chains> Searcher::begin_chains(const Frame& frame) {
  auto out = std::make_unique<Chains>(compared_);
  out->candidates = helpers(frame, window_.mark(frame.place).op);
  std::sort(out->candidates.begin(), out->candidates.end(), [&](Index a, Index b) {
    return std::tie(classes_[a], ops_[a].returned, ops_[a].called, a) <
           std::tie(classes_[b], ops_[b].returned, ops_[b].called, b);
  });
  out->met.add(0, frame.config);
  out->nodes.push_back({frame.config, kNone, kNone, {}});
  out->tried = 1;  // that way is the direct one
  return out;
}

// Whatever took effect, the one that returns did so in time.
bool Searcher::late(const State& state, Index returning) const { return state.now > ops_[returning].returned.ns; }

// A call in a chain that matters to its own client alone may as well wait until that client's next one, which then
// comes at once: so that one is bound to be next. Such is whoever takes a lock, and a reader who leaves while there are
// others before him in the row: a writer needs all of them gone, in whatever order.
Name Searcher::bound(const State& before, Index op) const {
  const Call& call = *ops_[op].call;
  if (!owned_by_client(model_.kind)) return {};
  const bool one_of_many = model_.kind == ModelKind::kReadWrite && !before.shares.empty() &&
                           before.shares.front().client.handle < call.client.handle;
  return takes(call.f) || one_of_many ? call.client : Name{};
}

// One op more after the node at the cursor, for each class that has one. False when there is no node left.
bool Searcher::grow(Chains& chains, Index returning) {
  if (chains.cursor == chains.nodes.size()) return false;
  const Index from = static_cast<Index>(chains.cursor++);
  Index last_class = kNone;
  compared_ += chains.candidates.size();
  for (const Index op : chains.candidates) {
    const Config& config = chains.nodes[from].config;
    if (classes_[op] == last_class || contains(config.taken, op) || contains(config.spent, op)) continue;
    last_class = classes_[op];
    const Name next = chains.nodes[from].bound;
    if (!next.empty() && next != ops_[op].call->client) continue;
    State state = config.state;
    if (!step(model_, state, *ops_[op].call) || late(state, returning)) continue;
    const Name then = bound(config.state, op);
    Config grown = with(config, std::move(state), op);
    if ((!then.empty() && chains.met.covers(0, grown)) || !chains.met.add(then.handle, grown)) continue;
    chains.nodes.push_back({std::move(grown), from, op, then});
    ++held_;
  }
  return true;
}

// The returning op after that node. Not where it could as well come before the last op of it: that one is still open
// afterwards, and the shorter way was given before.
std::optional<Way> Searcher::end_chain(const Chains& chains, std::size_t node, Index returning) const {
  const Chains::Node& last = chains.nodes[node];
  if (!last.bound.empty() && last.bound != ops_[returning].call->client) return std::nullopt;
  State state = last.config.state;
  if (!step(model_, state, *ops_[returning].call)) return std::nullopt;
  State other = chains.nodes[last.parent].config.state;
  if (step(model_, other, *ops_[returning].call) && step(model_, other, *ops_[last.op].call) && other == state)
    return std::nullopt;
  Way way{{std::move(state), last.config.taken, last.config.spent}, {returning}};
  for (std::size_t at = node; chains.nodes[at].op != kNone; at = chains.nodes[at].parent)
    way.chain.push_back(chains.nodes[at].op);
  std::reverse(way.chain.begin(), way.chain.end());
  return way;
}

std::optional<Way> Searcher::through_chains(Frame& frame) {
  const Index returning = window_.mark(frame.place).op;
  Chains& chains = *frame.chains;
  while (!time_is_up()) {
    while (chains.tried < chains.nodes.size())
      if (auto way = end_chain(chains, chains.tried++, returning)) return way;
    if (!grow(chains, returning)) break;
  }
  return std::nullopt;
}

// One way to its end before another: who finds an order soon looks at little else. Nothing when that takes too long.
std::optional<Searched> Searcher::deep(std::uint64_t patience) {
  const std::uint64_t enough = patience == 0 ? 0 : patience + 4 * window_.size();
  std::size_t furthest = 0;
  if (push(0, {})) return Searched{};
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    furthest = std::max(furthest, frame.place);
    auto way = next(frame);
    if (time_is_up()) return Searched{Searched::kOutOfTime, {}, 0};
    if (work_ > enough) return std::nullopt;
    if (!way) {
      failed_.add(frame.place, frame.config);
      stack_.pop_back();
      continue;
    }
    if (!push(frame.place + 1, std::move(*way))) continue;
    Searched out;
    for (const Frame& reached : stack_) out.order.insert(out.order.end(), reached.chain.begin(), reached.chain.end());
    return out;
  }
  return Searched{Searched::kIllegal, {}, window_.mark(furthest).op};
}

// The chains from the beginning to that step, one after the other.
Indices Searcher::order_of(std::size_t step) const {
  Indices out;
  for (; step != SIZE_MAX; step = steps_[step].from)
    out.insert(out.end(), steps_[step].chain.rbegin(), steps_[step].chain.rend());
  std::reverse(out.begin(), out.end());
  return out;
}

// Whether `a` comes to `b`, or better, when calls take effect of which nobody knows: so what `b` can do, `a` can.
bool Searcher::may_become(const Config& a, const Config& b) const {
  if (a.taken != b.taken || !std::includes(b.spent.begin(), b.spent.end(), a.spent.begin(), a.spent.end()))
    return false;
  Indices left;
  std::set_difference(b.spent.begin(), b.spent.end(), a.spent.begin(), a.spent.end(), std::back_inserter(left));
  std::stable_partition(left.begin(), left.end(), [&](Index op) { return frees(ops_[op].call->f); });
  State state = a.state;
  for (bool more = true; more && !left.empty();) {
    const std::size_t before = left.size();
    left.erase(std::remove_if(left.begin(), left.end(), [&](Index op) { return step(model_, state, *ops_[op].call); }),
               left.end());
    more = left.size() < before;
  }
  return left.empty() && alike(state, b.state) && no_worse(state, b.state);
}

// All ways side by side, from return to return: of what is reached there only the best goes on. So where there is no
// order, no return is looked at twice.
Searched Searcher::wide() {
  std::size_t place = 0;
  const auto reach = [&](Config config, std::size_t from, Indices chain) {
    const std::size_t at = settle(place, config);
    steps_.push_back({std::move(chain), from});
    reached_[at].push_back({std::move(config), steps_.size() - 1});
    ++held_;
  };
  reach({}, SIZE_MAX, {});
  while (reached_.begin()->first < window_.size()) {
    auto row = reached_.extract(reached_.begin());
    place = row.key() + 1;
    std::stable_sort(row.mapped().begin(), row.mapped().end(),
                     [](const Reached& a, const Reached& b) { return a.config.spent.size() < b.config.spent.size(); });
    held_ -= row.mapped().size();
    Memo met(compared_);
    std::vector<const Config*> best;
    for (const Reached& one : row.mapped()) {
      if (time_is_up()) break;
      if (!met.add(0, one.config)) continue;
      work_ += best.size();
      if (std::any_of(best.begin(), best.end(), [&](const Config* other) { return may_become(*other, one.config); }))
        continue;
      best.push_back(&one.config);
      Frame frame{row.key(), one.config, {}, Stage::kDirect, nullptr};
      while (auto way = next(frame)) reach(std::move(way->config), one.step, std::move(way->chain));
    }
    if (time_is_up()) return {Searched::kOutOfTime, {}, 0};
    if (reached_.empty()) return {Searched::kIllegal, {}, window_.mark(row.key()).op};
  }
  return {Searched::kLegal, order_of(reached_.begin()->second.front().step), 0};
}

Searched Searcher::run(std::uint64_t patience) {
  if (auto found = deep(patience)) return std::move(*found);
  stack_.clear();
  failed_ = Memo(compared_);
  return wide();
}

}  // namespace

void expect_sound(const std::vector<Op>& ops) {
  for (const Op& op : ops) {
    expect(op.called <= op.returned, "a call returns before it begins");
    expect(!op.must || op.returned != kNever, "a call that took effect never returns");
  }
}

Searched search(const Model& model, const std::vector<Op>& ops, const OutOfTime& out_of_time, std::uint64_t patience) {
  expect_sound(ops);
  return Searcher(model, ops, out_of_time).run(patience);
}

}  // namespace leasescope::check
