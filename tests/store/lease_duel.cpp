#include "tests/store/lease_duel.h"

#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "simulator/model/server_model.h"

namespace leasescope::tests {
namespace {

using std::chrono::milliseconds;
using What = LeaseStep::What;
using Meant = LeaseStep::Meant;

constexpr Duration kLong = std::chrono::minutes(10);
constexpr Duration kClose = milliseconds(5);  // to the end of a lease: a server counts in milliseconds

ServerNow moment(TrueTime at) { return {ServerTime{} + std::chrono::hours(1) + (at - TrueTime{}), at}; }

Reply answer_of(ServerModel& model, const ServerCall& call, TrueTime at) {
  thread_local ServerSteps steps;
  steps.clear();
  std::visit([&](auto& of) { of.take(call, moment(at), steps); }, model);
  Reply reply;
  for (const ServerStep& step : steps)
    if (step.replies) reply = step.reply;
  return reply;
}

// What somebody who was not there yet would be told, had he asked then.
Reply told_a_stranger(ServerModel& model, const ServerCall& after, Name stranger, TrueTime at) {
  ServerCall call;
  call.mutex = after.mutex;
  call.request.kind = RequestKind::kAcquire;
  call.request.mutex = after.request.mutex;
  call.request.contender = stranger;
  call.request.lease.length = call.request.lease.ttl = kLong;
  call.request.lease.wire = after.request.lease.wire;
  return answer_of(model, call, at);
}

bool alike(const Reply& a, const Reply& b) {
  return a.ending == b.ending && a.owner == b.owner && a.token == b.token && a.done == b.done && a.answer == b.answer &&
         a.number == b.number;
}

}  // namespace

// A connection to the server, shared by the clients of that number of all sequences.
class LeaseDuel::Line final : public StoreListener {
 public:
  Line(LeaseDuel& duel, WireNames& names) : duel_(&duel) {
    const StoreUrl& url = duel.server_.url();
    store_ = url.type->make(duel.loop_, url, Family::kLease, StoreRoute{url.endpoint, url.endpoint},
                            std::chrono::seconds(20), names, *this);
    store_->connect();
  }

  bool connected() const { return store_->connected(); }
  void send(const Request& request, std::size_t lane) {
    waiting_.emplace_back(request, lane);
    if (lane_of_.size() < kAtOnce) send_first();
  }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    const auto found = lane_of_.find(reply.request);
    const std::size_t lane = found->second;
    lane_of_.erase(found);
    if (!waiting_.empty()) send_first();
    duel_->on_reply(lane, reply, sent, received, error);
  }
  void on_store_event(const StoreEvent&, TrueTime) override {}
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

 private:
  // A contender has a call or two under way, and an adapter takes many more for a server that does not read.
  static constexpr std::size_t kAtOnce = 16;

  void send_first() {
    auto [request, lane] = waiting_.front();
    waiting_.pop_front();
    request.id = ++last_;
    lane_of_[request.id] = lane;
    store_->send(request);
  }

  LeaseDuel* duel_;
  std::unique_ptr<Store> store_;
  std::deque<std::pair<Request, std::size_t>> waiting_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> lane_of_;
};

// One sequence on its way.
struct LeaseDuel::Lane {
  struct Client {
    Name id;
    int life = 0;
    std::array<std::vector<Token>, 3> terms;  // by mutex, those it was told of
    std::array<Token, 3> named{};             // by mutex, in its last call
  };

  const LeaseSequence* sequence = nullptr;
  ServerModel model{SqlModel({}, {})};
  std::vector<Name> mutexes;
  std::vector<Client> clients;
  std::size_t next = 0;  // step
  ServerCall call;       // under way
  Duration span{};       // of its longest call
  DuelVerdict verdict;

  bool over() const { return next == sequence->steps.size() || verdict.kind != DuelVerdict::Kind::kAgreed; }
  bool pauses() const { return !over() && sequence->steps[next].what == What::kPass; }
};

LeaseDuel::LeaseDuel(const StoreType& type, bool remembers)
    : type_(&type), remembers_(remembers), server_(type, {{}, 100, remembers}) {}

LeaseDuel::~LeaseDuel() {
  for (auto& line : lines_) line.reset();
}

tl::expected<void, std::string> LeaseDuel::start() {
  if (auto started = server_.start(); !started) return started;
  const Looked looked = type_->probe(server_.url(), Family::kLease, {}, {});
  if (!looked) return tl::unexpected(std::string("the server refuses what a run would do"));
  return {};
}

bool LeaseDuel::connect(std::size_t line) {
  lines_[line] = std::make_unique<Line>(*this, *names_);
  return wait_for_lines();
}

bool LeaseDuel::wait_for_lines() {
  const auto all_stand = [&] {
    return std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return !line || line->connected(); });
  };
  for (int i = 0; i < 3000 && !all_stand(); ++i) rest(milliseconds(10));
  return all_stand();
}

void LeaseDuel::rest(Duration span) {
  loop_.delay(span, [this] { loop_.quit(); });
  loop_.run();
}

// ---- a batch

std::vector<DuelVerdict> LeaseDuel::play(const std::vector<LeaseSequence>& sequences, bool restarts) {
  for (auto& line : lines_) line.reset();
  names_of_batch_ = std::make_unique<ManyNames>();
  names_ = names_of_batch_.get();
  stranger_ = names_->intern("a stranger");
  lanes_.clear();
  ++batches_;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Lane lane;
    lane.sequence = &sequences[i];
    for (int mutex = 0; mutex < sequences[i].mutexes; ++mutex)
      lane.mutexes.push_back(names_->intern(fmt::format("m{}-{}-{}", batches_, i, mutex)));
    for (int client = 0; client < sequences[i].clients; ++client)
      lane.clients.push_back({names_->intern(fmt::format("0:{}@lane{}", client, i)), 0, {}, {}});
    RedisTerms redis;
    redis.persistence = remembers_;
    lane.model = type_->rows ? ServerModel(SqlModel(lane.mutexes, {})) : ServerModel(RedisModel(lane.mutexes, redis));
    lanes_.push_back(std::move(lane));
  }
  for (std::size_t line = 0; line < kLines; ++line) connect(line);
  const TrueTime begun = loop_.now();
  Duration paused{};
  for (bool first = true;; first = false) {
    go_round();
    if (std::none_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.pauses(); })) break;
    const TrueTime before = loop_.now();
    pause(first && restarts);
    paused += loop_.now() - before;
  }
  // So long that hardly a call comes close to the end of one: some three times what all steps between two pauses take.
  brief_ = std::max<Duration>(milliseconds(300), loop_.now() - begun - paused);
  std::vector<DuelVerdict> out;
  for (Lane& lane : lanes_) out.push_back(std::move(lane.verdict));
  return out;
}

// Until every sequence has ended or pauses.
void LeaseDuel::go_round() {
  open_ = 0;
  for (Lane& lane : lanes_) send_next(lane);
  if (open_ > 0) loop_.run();
}

void LeaseDuel::send_next(Lane& lane) {
  while (!lane.over() && lane.sequence->steps[lane.next].what == What::kCrash) {
    const std::size_t number = lane.sequence->steps[lane.next++].client;
    Lane::Client& client = lane.clients[number];
    const int life = client.life + 1;
    const std::size_t place = static_cast<std::size_t>(&lane - lanes_.data());
    client = {names_->intern(fmt::format("{}:{}@lane{}", life, number, place)), life, {}, {}};
    lane.verdict.trace += text(lane.sequence->steps[lane.next - 1]) + "\n";
  }
  if (lane.over() || lane.pauses()) return;
  const LeaseStep& step = lane.sequence->steps[lane.next];
  Lane::Client& client = lane.clients[step.client];
  Request& request = lane.call.request;
  request = Request{};
  request.kind = step.what == What::kAcquire ? RequestKind::kAcquire
                 : step.what == What::kGuard ? RequestKind::kGuard
                                             : RequestKind::kRelease;
  request.mutex = lane.mutexes[step.mutex];
  request.contender = client.id;
  request.timeout = std::chrono::seconds(60);
  request.lease.length = step.brief ? std::chrono::ceil<milliseconds>(brief_) : kLong;
  request.lease.ttl = request.lease.length / 2;
  const bool fenced = lane.sequence->fenced && step.client + 1 == lane.sequence->clients;
  request.lease.wire = fenced ? Wire::kFenced : Wire::kTerm;
  if (!fenced && type_->wakes(lane.sequence->wake_up)) request.lease.wake_up = lane.sequence->wake_up;
  if (step.what != What::kAcquire) {
    const std::vector<Token>& terms = client.terms[step.mutex];
    Token& named = client.named[step.mutex];
    if (step.meant == Meant::kLatest) named = terms.empty() ? kNoToken : terms.back();
    if (step.meant == Meant::kEarlier) named = terms.size() < 2 ? kNoToken : terms[terms.size() - 2];
    if (step.meant == Meant::kNone) named = kNoToken;
    request.lease.term = named;
  }
  lane.call.mutex = step.mutex;
  ++open_;
  lines_[step.client]->send(request, static_cast<std::size_t>(&lane - lanes_.data()));
}

void LeaseDuel::on_reply(std::size_t place, const Reply& reply, TrueTime sent, TrueTime received,
                         const std::string& error) {
  Lane& lane = lanes_[place];
  const LeaseStep& step = lane.sequence->steps[lane.next];
  lane.span = std::max<Duration>(lane.span, received - sent);
  ServerModel early = lane.model, late = lane.model;
  const Reply at_first = answer_of(early, lane.call, sent - kClose);
  const Reply at_last = answer_of(late, lane.call, received + lane.span + kClose);
  const Reply expected = answer_of(lane.model, lane.call, received);
  const Duration apart = std::chrono::abs(reply.remaining - expected.remaining);
  ++lane.verdict.calls;
  const auto said = [&](const Reply& each) {
    return fmt::format("owner {} token {}{}{} of {}, {} left", names_->text(each.owner), each.token,
                       each.done ? ", done" : "", each.answer == kComesFirst ? ", next" : "", each.number,
                       std::chrono::floor<milliseconds>(each.remaining).count());
  };
  lane.verdict.trace += fmt::format("{} ({}): {} {}\n", text(step), lane.call.request.lease.term, said(reply), error);
  // Near its end a lease is kept or granted anew; both would be the owner's, with the same token.
  const Duration between = received - sent + lane.span + 2 * kClose;
  const bool tells_nothing = std::chrono::abs(at_first.remaining - at_last.remaining) > between + kClose;
  // To whom a release hands over it does not answer, and that hangs on how old the places in the line are.
  const auto holder = [&](ServerModel& model) {
    return told_a_stranger(model, lane.call, stranger_, received + lane.span + kClose).owner;
  };
  const bool open_to_whom = reply.kind == RequestKind::kRelease && !(holder(early) == holder(late));
  if (tells_nothing || open_to_whom || !alike(at_first, at_last)) {
    lane.verdict.kind = DuelVerdict::Kind::kTooLate;
  } else if (!alike(reply, expected) || apart > 2 * lane.span + kClose) {
    lane.verdict.kind = DuelVerdict::Kind::kDiffered;
    lane.verdict.trace += fmt::format("  the model: {}\n", said(expected));
  }
  if (reply.done && reply.kind != RequestKind::kRelease)
    lane.clients[step.client].terms[step.mutex].push_back(reply.token);
  ++lane.next;
  --open_;
  send_next(lane);
  if (open_ == 0) loop_.quit();
}

// Every brief lease runs out. Meanwhile the server is killed and comes back, or one of the connections breaks.
void LeaseDuel::pause(bool restarts) {
  const TrueTime begun = loop_.now();
  if (restarts) {
    server_.kill();
    if (const auto again = server_.start_again(); !again) qFatal("%s", again.error().c_str());
    for (Lane& lane : lanes_) {
      thread_local ServerSteps steps;
      for (const Disturbance what : {Disturbance::kCrash, Disturbance::kRestart}) {
        steps.clear();
        std::visit([&](auto& model) { model.disturb(what, moment(loop_.now()), steps); }, lane.model);
      }
    }
    rest(milliseconds(50));
  } else {
    lines_[0].reset();
    connect(0);
  }
  const Duration left = brief_ + 4 * kClose - (loop_.now() - begun);
  if (left > Duration::zero()) rest(left);
  if (!wait_for_lines()) qFatal("the server does not let its clients in again");
  for (Lane& lane : lanes_) {
    if (!lane.pauses()) continue;
    lane.verdict.trace += restarts ? "the server is killed and comes back\n" : "time passes\n";
    ++lane.next;
  }
}

// ---- shrinking

LeaseSequence LeaseDuel::shrunk(LeaseSequence sequence, bool restarts) {
  for (bool shorter = true; shorter && sequence.steps.size() > 1;) {
    std::vector<LeaseSequence> without(sequence.steps.size(), sequence);
    for (std::size_t i = 0; i < without.size(); ++i)
      without[i].steps.erase(without[i].steps.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<DuelVerdict> verdicts = play(without, restarts);
    shorter = false;
    for (std::size_t i = 0; i < without.size() && !shorter; ++i) {
      if (verdicts[i].kind != DuelVerdict::Kind::kDiffered) continue;
      sequence = without[i];
      shorter = true;
    }
  }
  return sequence;
}

}  // namespace leasescope::tests
