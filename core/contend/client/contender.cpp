#include <exception>
#include <utility>

#include "core/contend/client/contender_parts.h"
#include "core/store/store_type.h"

namespace leasescope::client {
namespace {

End end_of(DisbeliefReason reason) {
  switch (reason) {
    case DisbeliefReason::kStop:
      return End::kStopped;
    case DisbeliefReason::kWatchdog:
    case DisbeliefReason::kFailure:
    case DisbeliefReason::kDisconnected:
      return End::kExpired;
    default:
      return End::kLost;
  }
}

}  // namespace

Contender::Parts::Parts(std::shared_ptr<Client::Parts> of, std::string wanted, const Terms& under, Callbacks calls)
    : client(std::move(of)),
      mutex(std::move(wanted)),
      id(Contention::make_id()),
      terms(under),
      callbacks(std::move(calls)),
      term_{mutex, id, 0} {}

void Contender::Parts::start() {
  std::unique_lock lock(guard_);
  if (runs_ && stop_asked_ && !in_callback()) {  // a callback of its own has begun to stop it
    lock.unlock();
    stop();
    lock.lock();
  }
  if (std::exchange(runs_, true)) return;
  executor_.begin();
  over_ = stop_asked_ = false;
  trouble_.clear();
  other_.clear();
  executor_.post([this] {
    if (look_at_store()) return client->loop.post([this] { begin(); });
    const std::lock_guard ended(guard_);
    over_ = true;
    changed_.notify_all();
  });
}

// Once for a client: whether it may do there what is to be done, which also makes the table of a database. Until it
// may; false when it was stopped before.
bool Contender::Parts::look_at_store() {
  while (!client->looked) {
    const Looked look = client->url.type->probe(client->url, client->url.type->first_family(), {mutex}, {});
    if (look) {
      client->looked = true;
      if (callbacks.on_trouble)
        for (const std::string& remark : look->remarks) call_back([&] { callbacks.on_trouble(remark); });
      break;
    }
    tell_trouble(look.error());
    if (refused) refused();
    std::unique_lock lock(guard_);
    if (changed_.wait_for(lock, std::chrono::seconds(1), [&] { return stop_asked_; })) return false;
  }
  tell_trouble("");
  return true;
}

bool Contender::Parts::is_news(const std::string& trouble) {
  const std::lock_guard lock(guard_);
  return std::exchange(trouble_, trouble) != trouble;
}

void Contender::Parts::tell_trouble(const std::string& words) {
  if (is_news(words) && callbacks.on_trouble) call_back([&] { callbacks.on_trouble(words); });
}

void Contender::Parts::begin() {
  const std::lock_guard lock(guard_);
  over_ = stop_asked_;
  changed_.notify_all();
  if (over_) return;
  contention_ =
      std::make_unique<Contention>(client->loop, client->url, id, mutex, lease_terms(terms), terms.timeout, events());
  contention_->start();
}

void Contender::Parts::begin_to_stop() {
  const std::lock_guard lock(guard_);
  stop_asked_ = true;
  changed_.notify_all();
  client->loop.post([this] {
    if (contention_ != nullptr) contention_->stop();
  });
}

void Contender::Parts::stop() {
  if (in_callback()) return begin_to_stop();
  const std::lock_guard one_after_the_other(stops_);
  {
    const std::lock_guard lock(guard_);
    if (!runs_) return;
  }
  begin_to_stop();
  {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return over_; });
  }
  executor_.finish();
  // What its last callbacks have posted stands before this.
  client->run_in_loop([this] { contention_.reset(); });
  const std::lock_guard lock(guard_);
  runs_ = false;
}

// What a program throws is not for the thread that calls it.
void Contender::Parts::call_back(const std::function<void()>& callback) {
  std::string why = "a callback failed";
  try {
    return callback();
  } catch (const std::exception& error) {
    why += std::string(": ") + error.what();
  } catch (...) {
  }
  try {
    if (callbacks.on_trouble) callbacks.on_trouble(why);
  } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
  }
}

Contention::Events Contender::Parts::events() {
  Contention::Events out;
  out.acquired = [this](Token token, TrueTime owned_until) { on_acquired(token, owned_until); };
  out.confirmed = [this](TrueTime owned_until) { on_confirmed(owned_until); };
  out.released = [this](DisbeliefReason reason) { on_released(reason); };
  out.others = [this](const std::string& owner) {
    {
      const std::lock_guard lock(guard_);
      other_ = owner;
    }
    if (client->beliefs != nullptr && until_.load() == TrueTime::min()) client->beliefs->waits(mutex, id);
    if (refused) refused();
  };
  out.trouble = [this](const std::string& trouble) {
    if (is_news(trouble) && callbacks.on_trouble)
      executor_.post([this, trouble] { call_back([&] { callbacks.on_trouble(trouble); }); });
    if (refused && !trouble.empty()) refused();
  };
  out.stopped = [this] {
    if (client->beliefs != nullptr) client->beliefs->stopped(mutex, id);
    const std::lock_guard lock(guard_);
    over_ = true;
    changed_.notify_all();
  };
  return out;
}

void Contender::Parts::on_acquired(Token token, TrueTime owned_until) {
  Term term{mutex, id, token};
  {
    const std::lock_guard lock(guard_);
    term_ = term;
    other_ = id;
  }
  until_ = owned_until;
  executor_.post([this, term] {
    if (callbacks.on_acquired) call_back([&] { callbacks.on_acquired(term); });
    client->loop.post([this] { contention_->acquired_done(); });
  });
  if (client->beliefs != nullptr) client->beliefs->owns(mutex, id, token, owned_until);
}

void Contender::Parts::on_confirmed(TrueTime owned_until) {
  until_ = owned_until;
  if (client->beliefs != nullptr) client->beliefs->owns(mutex, id, last_term().fence, owned_until);
}

void Contender::Parts::on_released(DisbeliefReason reason) {
  until_ = TrueTime::min();
  if (client->beliefs != nullptr)
    client->beliefs->not_owner(mutex, id);  // before the release, as who owns next says so
  executor_.post([this, term = last_term(), end = end_of(reason)] {
    if (callbacks.on_released) call_back([&] { callbacks.on_released(term, end); });
    client->loop.post([this] { contention_->work_done(); });
  });
}

Term Contender::Parts::last_term() const {
  const std::lock_guard lock(guard_);
  return term_;
}

std::string Contender::Parts::last_trouble() const {
  const std::lock_guard lock(guard_);
  return trouble_;
}

std::string Contender::Parts::last_other() const {
  const std::lock_guard lock(guard_);
  return other_;
}

Contender::Contender(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {}
Contender::Contender(Contender&&) noexcept = default;
Contender& Contender::operator=(Contender&&) noexcept = default;
Contender::~Contender() = default;

void Contender::start() { parts_->start(); }
void Contender::stop() { parts_->stop(); }
bool Contender::owns() const { return parts_->owns(); }
Term Contender::term() const { return parts_->last_term(); }
const std::string& Contender::id() const { return parts_->id; }
std::string Contender::trouble() const { return parts_->last_trouble(); }
std::string Contender::other() const { return parts_->last_other(); }

}  // namespace leasescope::client
