// What a program hears of its wish for a mutex, and in which order it and the store are told. The store is played.
#include "core/contend/driver/contention.h"

#include "core/loop/epoll/epoll_loop.h"
#include "core/loop/one_shot.h"
#include "core/store/store_type.h"
#include "tests/support/suite.h"

using namespace leasescope;
using std::chrono::milliseconds;

namespace {

// Connects at once, tells everybody to wait in the line, and hands the mutex over to whoever has asked for it.
class PlayedStore final : public Store {
 public:
  PlayedStore(Loop& loop, WireNames& names, StoreListener& listener)
      : loop_(&loop), names_(&names), listener_(&listener), later_(loop), message_(loop) {}

  void connect() override {
    later_.arm(Duration::zero(), [this] { listener_->on_connected(); });
  }
  bool connected() const override { return true; }
  void send(const Request& request) override {
    log().push_back(name(request.kind));
    asked_.emplace_back(request, loop_->now());
    later_.arm(Duration::zero(), [this] {
      for (const auto& [asked, sent] : std::exchange(asked_, {})) answer(asked, sent);
    });
  }

  static std::vector<std::string>& log() {
    static std::vector<std::string> all;
    return all;
  }

 private:
  static std::string name(RequestKind kind) {
    return kind == RequestKind::kSubscribe     ? "subscribe"
           : kind == RequestKind::kUnsubscribe ? "unsubscribe"
           : kind == RequestKind::kAcquire     ? "acquire"
           : kind == RequestKind::kGuard       ? "guard"
                                               : "release";
  }
  void answer(const Request& request, TrueTime sent) {
    Reply reply;
    reply.begin(request);
    if (request.kind == RequestKind::kAcquire) {
      reply.owner = names_->intern("somebody");
      reply.remaining = milliseconds(500);
      reply.token = 7;
      reply.number = 7;
      StoreEvent granted{StoreEventKind::kHandedOver, request.mutex, request.contender};
      granted.token = 8;
      message_.arm(milliseconds(1), [this, granted] { listener_->on_store_event(granted, loop_->now()); });
    } else if (request.kind == RequestKind::kGuard) {
      reply.done = true;
      reply.owner = request.contender;
      reply.remaining = request.lease.length;
      reply.token = 8;
    } else {
      reply.done = true;
    }
    listener_->on_reply(reply, sent, loop_->now(), {});
  }

  Loop* loop_;
  WireNames* names_;
  StoreListener* listener_;
  std::vector<std::pair<Request, TrueTime>> asked_;
  OneShot later_, message_;
};

std::unique_ptr<Store> make_played(Loop& loop, const StoreUrl&, Family, const StoreRoute&, Duration, WireNames& names,
                                   StoreListener& listener) {
  return std::make_unique<PlayedStore>(loop, names, listener);
}

}  // namespace

class ContentionTest : public QObject {
  Q_OBJECT

  EpollLoop loop_;
  StoreType type_;
  std::unique_ptr<Contention> contention_;
  std::function<void()> when_acquired_;

  static std::vector<std::string>& log() { return PlayedStore::log(); }

 private slots:
  void init() {
    log().clear();
    type_.make = make_played;
    StoreUrl url;
    url.type = &type_;
    url.wake_up = WakeUp::kHandOver;
    Contention::Events events;
    events.acquired = [this](Token token, TrueTime) {
      log().push_back("acquired " + std::to_string(token));
      contention_->acquired_done();
      if (when_acquired_) when_acquired_();
    };
    events.confirmed = [this](TrueTime) { loop_.quit(); };
    events.released = [this](DisbeliefReason) { contention_->work_done(); };
    events.others = [](const std::string&) {};
    events.trouble = [](const std::string&) {};
    events.stopped = [this] { loop_.quit(); };
    contention_ = std::make_unique<Contention>(loop_, url, "a", "m", LeaseTerms{}, milliseconds(1000), events);
    contention_->start();
  }
  void cleanup() { when_acquired_ = {}; }

  // Its work begins before the guard is put into words: the lease lasts meanwhile.
  void whoIsHandedTheMutexIsToldBeforeTheStoreIsAsked() {
    loop_.run();
    QCOMPARE(log(), (std::vector<std::string>{"subscribe", "acquire", "acquired 8", "guard"}));
  }
  void whatItsWorkLeadsToComesBehindTheGuard() {
    when_acquired_ = [this] { contention_->stop(); };
    loop_.run();
    QCOMPARE(log(),
             (std::vector<std::string>{"subscribe", "acquire", "acquired 8", "guard", "release", "unsubscribe"}));
  }
  void whoGoesWhileHeIsToldAsksNothingMore() {
    when_acquired_ = [this] {
      loop_.post([this] { contention_.reset(); });
      loop_.delay(milliseconds(5), [this] { loop_.quit(); });
    };
    loop_.run();
    QCOMPARE(log().at(2), std::string("acquired 8"));
  }
};

LEASESCOPE_SUITE(ContentionTest)
#include "contention_test.moc"
