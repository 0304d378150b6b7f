// What a process says to the group in its threads' name, request by request.
#include <deque>

#include "core/fenced/fenced_client.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

using Call = FencedCall;

// A client whose requests nobody answers but the test; its session is 10 s.
class ByHand {
 public:
  void call(Call what, std::uint32_t thread = 0) {
    Effects out;
    client.call(what, thread, {}, out, {});
    carry_out(out);
  }
  void answer(const Request& to, SessionAnswer said, std::uint64_t number = 1) {
    Reply reply;
    reply.begin(to);
    reply.answer = static_cast<std::uint8_t>(said);
    reply.number = number;
    reply.remaining = 1s;
    hand(reply);
  }
  void end(const Request& request, Ending ending) {
    Reply reply;
    reply.begin(request);
    reply.ending = ending;
    hand(reply);
  }
  void fire(Timer timer) {
    Effects out;
    client.on_timer(timer, out, {});
    carry_out(out);
  }
  const Request& beat() {
    fire(FencedTimer::kHeartbeat);
    return last();
  }
  const Request& last() const { return asked_.back(); }

  FencedClient client{[] {
    FencedClientConfig config;
    config.ttl = 10s;
    return config;
  }()};

 private:
  void hand(const Reply& reply) {
    Effects out;
    client.on_reply(reply, out, {});
    carry_out(out);
  }
  void carry_out(const Effects& out) {
    for (const Effect& effect : out)
      if (const auto* sent = std::get_if<Send>(&effect)) asked_.push_back(sent->request);
  }

  std::deque<Request> asked_;
};

}  // namespace

class FencedClientTest : public QObject {
  Q_OBJECT
 private slots:
  void whatAHeartbeatOfAnEarlierSessionIsToldEndsNoLaterOne() {
    ByHand of;
    of.call(Call::kLock);
    of.answer(of.last(), SessionAnswer::kDone, 1);  // opened
    of.answer(of.last(), SessionAnswer::kDone);
    const Request early = of.beat();
    of.answer(of.beat(), SessionAnswer::kSessionEnded);  // its answer overtook that to the earlier
    QCOMPARE(of.client.session(), 0u);
    of.call(Call::kUnlock);  // told
    of.call(Call::kLock);
    of.answer(of.last(), SessionAnswer::kDone, 2);
    QCOMPARE(of.client.session(), 2u);
    of.beat();
    of.answer(early, SessionAnswer::kSessionEnded);
    QCOMPARE(of.client.session(), 2u);
  }
  // The process has a session again, which another of its threads has opened.
  void anEntryThatIsAskedAgainStaysInTheSessionOfTheFirst() {
    ByHand of;
    of.call(Call::kLock);
    of.answer(of.last(), SessionAnswer::kDone, 1);  // opened
    of.answer(of.last(), SessionAnswer::kDone);
    of.call(Call::kLock);  // once more
    const Request entry = of.last();
    of.answer(of.beat(), SessionAnswer::kSessionEnded);
    of.call(Call::kLock, 1);
    of.answer(of.last(), SessionAnswer::kDone, 2);  // opened
    QCOMPARE(of.last().session.session, std::uint64_t{2});
    of.end(entry, Ending::kUnknown);
    of.fire(FencedTimer::kRetry);
    QCOMPARE(of.last().kind, RequestKind::kLock);
    QCOMPARE(of.last().session.uid, entry.session.uid);
    QCOMPARE(of.last().session.session, std::uint64_t{1});
  }
};

LEASESCOPE_SUITE(FencedClientTest)
#include "fenced_client_test.moc"
