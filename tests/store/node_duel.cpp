#include "tests/store/node_duel.h"

#include <map>
#include <optional>

#include <fmt/format.h>

#include "simulator/model/zookeeper/zookeeper_model.h"

namespace leasescope::tests {
namespace {

using std::chrono::milliseconds;
using What = NodeStep::What;

constexpr Duration kSpan = milliseconds(3000);  // of a session
constexpr Duration kTick = milliseconds(250);   // of the private server
constexpr std::size_t kAtOnce = 40;             // connections that are opened at the same time

ZookeeperTerms terms() {
  ZookeeperTerms out;
  out.tick = kTick;
  out.min_session = 2 * kTick;
  out.max_session = std::chrono::seconds(60);
  return out;
}

ServerNow moment(TrueTime at) { return {ServerTime{} + (at - TrueTime{}), at}; }

}  // namespace

class NodeDuel::Client final : public StoreListener {
 public:
  Client(NodeDuel& duel, Lane& lane, std::size_t place, Name id, Name mutex)
      : id_(id), mutex_(mutex), duel_(&duel), lane_(&lane), place_(place) {
    const StoreUrl& url = duel.server_.url();
    store_ = url.type->make(duel.loop_, url, Family::kNodes, StoreRoute{url.endpoint, url.endpoint},
                            std::chrono::seconds(5), duel.names_, *this);
  }

  Request request(RequestKind kind, std::uint32_t node = 0, std::uint64_t word = 0, bool watch = false) {
    Request out;
    out.id = ++requests_;
    out.kind = kind;
    out.mutex = mutex_;
    out.contender = id_;
    out.timeout = std::chrono::seconds(20);
    out.nodes = NodeCall{session, word, kSpan, node, watch};
    return out;
  }
  void send(const Request& request) { store_->send(request); }
  void stand_still(bool does) { store_->stand_still(does); }

  void on_reply(const Reply& reply, TrueTime sent, TrueTime received, const std::string& error) override {
    duel_->on_reply(*lane_, place_, reply, sent, received, error);
  }
  void on_store_event(const StoreEvent& event, TrueTime) override {
    if (event.kind == StoreEventKind::kDisconnected && stands) duel_->on_lost(*lane_, *this);
  }
  void on_connected() override {}
  void on_disconnected(const std::string&) override {}

  std::uint64_t session = 0;        // as the server numbers it; 0: none
  std::uint64_t model_session = 0;  // as the model does
  bool stands = false;              // connected, and answering the server's pings
  bool still = false;
  TrueTime heard_lo{}, heard_hi{};  // by the server for the last time, where it does not stand
  bool counted = false;             // what it has been told of is known from here on:
  std::uint64_t told = 0, model_told = 0;
  std::uint32_t own = 0, before = 0;  // as it was told last
  int nodes = 0;                      // made in the session, at most

 private:
  Name id_;
  Name mutex_;
  NodeDuel* duel_;
  Lane* lane_;
  std::size_t place_;
  std::unique_ptr<Store> store_;
  std::uint64_t requests_ = 0;
};

struct NodeDuel::Lane {
  explicit Lane(const std::vector<Name>& mutexes) : model(mutexes, terms()) {}

  const NodeSequence* sequence = nullptr;
  ZookeeperModel model;
  ServerSteps steps;
  TrueTime model_now{};
  std::vector<std::unique_ptr<Client>> clients;
  std::size_t next = 0;                             // step
  std::vector<ServerCall> calls;                    // under way, by client
  std::vector<std::string> words;                   // likewise
  std::map<Token, Token> tokens;                    // of the model, and the server's
  std::map<std::uint64_t, std::uint64_t> sessions;  // likewise
  DuelVerdict verdict;

  bool over() const { return next == sequence->steps.size() || verdict.kind != DuelVerdict::Kind::kAgreed; }
  bool pauses() const { return !over() && sequence->steps[next].what == What::kPass; }
  std::optional<Reply> take(const ServerCall& call, TrueTime at) {
    steps.clear();
    model.take(call, moment(at), steps);
    for (const ServerStep& step : steps)
      if (step.replies) return step.reply;
    return std::nullopt;
  }
};

NodeDuel::NodeDuel(const StoreType& type) : type_(&type), server_(type, {{}, 5000, true}) {}

NodeDuel::~NodeDuel() { lanes_.clear(); }

tl::expected<void, std::string> NodeDuel::start() { return server_.start(); }

void NodeDuel::rest(Duration span) {
  loop_.delay(span, [this] { loop_.quit(); });
  loop_.run();
}

// ---- a batch

std::vector<DuelVerdict> NodeDuel::play(const std::vector<NodeSequence>& sequences, bool restarts) {
  lanes_.clear();
  ++batches_;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::vector<Name> mutexes;
    for (int mutex = 0; mutex < sequences[i].mutexes; ++mutex)
      mutexes.push_back(names_.intern(fmt::format("n{}-{}-{}", batches_, i, mutex)));
    auto lane = std::make_unique<Lane>(mutexes);
    lane->sequence = &sequences[i];
    for (std::size_t client = 0; client < sequences[i].clients; ++client)
      lane->clients.push_back(std::make_unique<Client>(*this, *lane, client, names_.intern(fmt::format("c{}", client)),
                                                       mutexes[client % mutexes.size()]));
    lane->calls.resize(lane->clients.size());
    lane->words.resize(lane->clients.size());
    lanes_.push_back(std::move(lane));
  }
  for (bool first = true;; first = false) {
    go_round();
    if (std::none_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->pauses(); })) break;
    pause(first && restarts);
  }
  std::vector<DuelVerdict> out;
  for (const auto& lane : lanes_) out.push_back(std::move(lane->verdict));
  return out;
}

// Until every sequence has ended or pauses.
void NodeDuel::go_round() {
  open_ = next_ = 0;
  coming_back_ = false;
  start_more();
  if (open_ > 0) loop_.run();
}

void NodeDuel::start_more() {
  while (open_ < kAtOnce && next_ < lanes_.size()) {
    Lane& lane = *lanes_[next_++];
    if (lane.over() || lane.pauses()) continue;
    ++open_;
    go_on(lane);
  }
}

void NodeDuel::go_on(Lane& lane) {
  for (; !lane.over() && lane.sequence->steps[lane.next].what == What::kCrash; ++lane.next) {
    Client& client = *lane.clients[lane.sequence->steps[lane.next].client];
    lane.verdict.trace += text(lane.sequence->steps[lane.next]) + "\n";
    if (client.session == 0 || client.still) continue;
    catch_up(lane, loop_.now());  // its pings until now
    client.stand_still(true);
    client.still = true;
    if (client.stands) client.heard_lo = client.heard_hi = loop_.now();
    client.stands = false;
  }
  if (lane.over() || lane.pauses()) {
    --open_;
    if (open_ == 0 && next_ == lanes_.size()) loop_.quit();
    return;
  }
  const NodeStep& step = lane.sequence->steps[lane.next];
  Client& client = *lane.clients[step.client];
  const std::uint64_t word = 10 * step.client + step.word;
  if (client.session == 0 || client.still) {
    client.stand_still(false);
    client.still = false;
    return ask(lane, step.client, client.request(RequestKind::kConnect), "connects, to: ");
  }
  Request request = client.request(RequestKind::kHeartbeat);
  if (step.what == What::kCreate) request = client.request(RequestKind::kCreate, 0, word);
  if (step.what == What::kChildren && client.own != 0) request = client.request(RequestKind::kChildren, client.own);
  if (step.what == What::kChildrenWord) request = client.request(RequestKind::kChildren, 0, word);
  if (step.what == What::kLookOwn && client.own != 0) request = client.request(RequestKind::kLook, client.own);
  if (step.what == What::kLookBefore && client.before != 0) request = client.request(RequestKind::kLook, client.before);
  if (step.what == What::kWatchBefore && client.before != 0)
    request = client.request(RequestKind::kLook, client.before, 0, true);
  if (step.what == What::kDeleteOwn && client.own != 0) request = client.request(RequestKind::kDelete, client.own);
  if (step.what == What::kDeleteBefore && client.before != 0)
    request = client.request(RequestKind::kDelete, client.before);
  // Nobody is told when the server has closed a session: of several nodes the adapter deletes but its own, and waits.
  if (step.what == What::kClose && client.nodes < 2) request = client.request(RequestKind::kCloseSession);
  ask(lane, step.client, request, "");
}

void NodeDuel::ask(Lane& lane, std::size_t place, const Request& request, const std::string& words) {
  ServerCall& call = lane.calls[place];
  call = ServerCall{};
  call.request = request;
  call.request.nodes.session = lane.clients[place]->model_session;
  call.mutex = static_cast<std::uint32_t>(place % lane.sequence->mutexes);
  lane.words[place] = words;
  lane.clients[place]->send(request);
}

// The library gives a connection up when two thirds of a session have passed without an answer: then, or sooner, the
// machine had too much to do.
void NodeDuel::on_lost(Lane& lane, Client& client) {
  catch_up(lane, loop_.now());  // its pings until now
  client.stands = false;
  client.heard_hi = loop_.now();
  client.heard_lo = client.heard_hi - kSpan * 2 / 3;
}

// What the library's pings and the server's clock have come to since.
void NodeDuel::catch_up(Lane& lane, TrueTime now) {
  while (lane.model_now < now) {
    lane.model_now = std::min(now, lane.model_now == TrueTime{} ? now : lane.model_now + kSpan / 4);
    for (const auto& client : lane.clients) {
      if (!client->stands || client->session == 0) continue;
      ServerCall ping;
      ping.request = client->request(RequestKind::kHeartbeat);
      ping.request.nodes.session = client->model_session;
      lane.take(ping, lane.model_now);
    }
    for (const auto& [session, of_server] : lane.sessions) {
      lane.steps.clear();
      lane.model.wake(static_cast<std::uint32_t>(session - 1), moment(lane.model_now), lane.steps);
    }
  }
}

void NodeDuel::on_reply(Lane& lane, std::size_t place, const Reply& reply, TrueTime sent, TrueTime received,
                        const std::string& error) {
  Client& client = *lane.clients[place];
  const bool connects = reply.kind == RequestKind::kConnect;
  const std::string step =
      coming_back_ ? fmt::format("client {} comes back", place) : text(lane.sequence->steps[lane.next]);
  catch_up(lane, received);
  const Reply expected = lane.take(lane.calls[place], received).value_or(Reply{});
  ++lane.verdict.calls;
  const auto words = [](const Reply& each) {
    return fmt::format("{}, answer {}, number {:x}, token {}, {} ms", text(each.ending), each.answer, each.number,
                       each.token, each.remaining / milliseconds(1));
  };
  lane.verdict.trace += fmt::format("{}{}: {} {} after {} ms\n", lane.words[place], step, words(reply), error,
                                    (received - sent) / milliseconds(1));
  // The library gives up a connection that does not come in two thirds of a session: then the machine has too much to
  // do.
  const bool given_up = connects && reply.ending == Ending::kUnknown && received - sent > kSpan / 2;
  // Whoever has closed its session does not stand.
  const bool closed = reply.kind == RequestKind::kCloseSession && reply.ending == Ending::kOk;
  const bool lost = !connects && !closed && !client.stands;
  // One who stands still, or was lost, has been given up by the server, or will be at any moment.
  const bool late = std::any_of(lane.clients.begin(), lane.clients.end(), [&](const auto& each) {
    return !each->stands && each->session != 0 && received - each->heard_lo > kSpan - kTick &&
           lane.model.deadline(static_cast<std::uint32_t>(each->model_session - 1), {}) != TrueTime::max();
  });
  // It comes back when its session is about to end: which was first, nobody can tell. A server that has just begun and
  // has many to take in again ends none for a while.
  const bool soon = coming_back_ || sent - client.heard_hi < kSpan + kTick;
  const bool at_the_end = connects && client.session != 0 && soon && received - client.heard_lo > kSpan - kTick;
  // Once a minute the server looks for folders that are empty, and takes them away: then it counts from 1 again, which
  // the model does not. Tokens rise all the same.
  const bool swept = reply.kind == RequestKind::kCreate && reply.number == 1 && expected.number > 1;
  if (given_up || lost || late || at_the_end || swept) {
    lane.verdict.kind = DuelVerdict::Kind::kTooLate;
  } else {
    compare(lane, place, reply, expected, "  the model: " + words(expected) + "\n");
  }
  if (coming_back_) {
    if (--open_ == 0) loop_.quit();
    return;
  }
  if (connects && static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kDone) return go_on(lane);  // and now its step
  ++lane.next;
  go_on(lane);
  start_more();
}

void NodeDuel::compare(Lane& lane, std::size_t place, const Reply& reply, const Reply& expected,
                       const std::string& said) {
  Client& client = *lane.clients[place];
  bool alike = reply.ending == Ending::kOk && expected.ending == Ending::kOk && reply.answer == expected.answer;
  const bool done = alike && static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kDone;
  const auto same_session = [&](std::uint64_t model, std::uint64_t server) {
    return lane.sessions.emplace(model, server).first->second == server;
  };
  if (done && reply.kind == RequestKind::kConnect) {
    alike = same_session(expected.number, reply.number) && reply.remaining == expected.remaining;
    client.counted = false;
    client.stands = true;
    if (client.session == 0) client.own = client.before = 0, client.nodes = 0;
    client.session = reply.number;
    client.model_session = expected.number;
  }
  if (alike && static_cast<NodeAnswer>(reply.answer) == NodeAnswer::kSessionEnded) client.session = 0;
  if (done && reply.kind == RequestKind::kCloseSession) client.session = 0;
  if (client.session == 0) client.model_session = 0, client.stands = false;
  if (done && (reply.kind == RequestKind::kCreate || reply.kind == RequestKind::kLook)) {
    // Their tokens are others, in the same order.
    const auto [at, is_new] = lane.tokens.emplace(expected.token, reply.token);
    alike = at->second == reply.token && (at == lane.tokens.begin() || std::prev(at)->second < reply.token) &&
            (std::next(at) == lane.tokens.end() || reply.token < std::next(at)->second);
  }
  if (done && reply.kind == RequestKind::kLook) alike = alike && same_session(expected.number, reply.number);
  if (done && reply.kind == RequestKind::kCreate) {
    alike = alike && reply.number == expected.number;
    client.own = static_cast<std::uint32_t>(reply.number);
    ++client.nodes;
  }
  if (done && reply.kind == RequestKind::kChildren) {
    alike = reply.number == expected.number;
    const Children children = Children::from(reply.number);
    client.before = children.before;
    if (children.own != 0) client.own = children.own;
  }
  // After a reconnect it is counted anew: what was told meanwhile reached nobody.
  if (done && reply.kind == RequestKind::kHeartbeat) {
    if (client.counted) alike = reply.number - client.told == expected.number - client.model_told;
    client.told = reply.number;
    client.model_told = expected.number;
    client.counted = true;
  }
  if (alike) return;
  lane.verdict.kind = DuelVerdict::Kind::kDiffered;
  lane.verdict.trace += said;
}

// ---- a pause

// The sessions of all who stand still run out.
void NodeDuel::pause(bool restarts) {
  if (restarts) restart();
  rest(kSpan + 3 * kTick);
  for (const auto& lane : lanes_) {
    if (!lane->pauses()) continue;
    catch_up(*lane, loop_.now());
    lane->verdict.trace += restarts ? "the server is killed and comes back\n" : "time passes\n";
    ++lane->next;
  }
}

void NodeDuel::restart() {
  const TrueTime killed = loop_.now();
  for (const auto& lane : lanes_)
    if (lane->pauses()) catch_up(*lane, killed);
  server_.kill();
  if (const auto again = server_.start_again(); !again) qFatal("%s", again.error().c_str());
  rest(milliseconds(100));  // the clients notice
  open_ = 0;
  coming_back_ = true;
  const TrueTime now = loop_.now();
  for (const auto& lane : lanes_) {
    if (!lane->pauses()) continue;
    for (const Disturbance what : {Disturbance::kCrash, Disturbance::kRestart}) {
      lane->steps.clear();
      lane->model.disturb(what, moment(now), lane->steps);
    }
    lane->model_now = now;
    for (const auto& client : lane->clients) client->heard_lo = client->heard_hi = now;
  }
  // So many at a time that the server can accept.
  std::vector<std::pair<Lane*, std::size_t>> wanted;
  for (const auto& lane : lanes_)
    for (std::size_t place = 0; lane->pauses() && place < lane->clients.size(); ++place)
      if (lane->clients[place]->session != 0 && !lane->clients[place]->still) wanted.emplace_back(lane.get(), place);
  for (std::size_t from = 0; from < wanted.size(); from += kAtOnce) {
    for (std::size_t i = from; i < std::min(wanted.size(), from + kAtOnce); ++i) {
      auto [lane, place] = wanted[i];
      ++open_;
      ask(*lane, place, lane->clients[place]->request(RequestKind::kConnect), "");
    }
    loop_.run();
  }
  coming_back_ = false;
}

// ---- shrinking

NodeSequence NodeDuel::shrunk(NodeSequence sequence, bool restarts) {
  for (bool shorter = true; shorter && sequence.steps.size() > 1;) {
    std::vector<NodeSequence> without(sequence.steps.size(), sequence);
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
