// What the kinds of faults say of themselves, against what they do to a world.
#include "simulator/fault/kind.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// A world that can do what the live one can, and remembers whether the network was touched.
class Watched final : public FaultPort {
 public:
  bool network = false;

  void pause(NodeIndex) override {}
  void resume(NodeIndex) override {}
  void cut(NodeIndex, LinkDirection) override { network = true; }
  void heal(NodeIndex, LinkDirection) override { network = true; }
  void step_clock(NodeIndex, Duration) override {}
  void step_store_clock(Duration) override {}
  void speed_store_clock(std::int32_t) override {}
  void mute(NodeIndex) override { network = true; }
  void unmute(NodeIndex) override { network = true; }
  void start(NodeIndex) override {}
  void stop(NodeIndex) override {}
  void crash(NodeIndex) override {}
  void restart(NodeIndex) override {}
  void delay_requests(NodeIndex, Duration) override { network = true; }
  void delay_messages(NodeIndex, Duration) override { network = true; }
  void stop_clocks(NodeIndex) override {}
  void run_clocks(NodeIndex) override {}
  void starve(NodeIndex) override {}
  void feed(NodeIndex) override {}
  void speed_clock(NodeIndex, ClockOf, std::int32_t) override {}
  void clog(NodeIndex, LinkDirection) override { network = true; }
  void unclog(NodeIndex, LinkDirection) override { network = true; }
  void delay_writes(NodeIndex, Duration) override {}
  void delay_callbacks(NodeIndex, Duration) override {}
  void crash_store() override {}
  void restore_store() override {}
  void freeze_store() override {}
  void thaw_store() override {}
  void disturb_store(Disturbance) override {}
  void stall_row(std::uint64_t) override {}
  void unstall_row(std::uint64_t) override {}
  void trouble(NodeIndex, LinkDirection, const LinkTrouble&, std::uint64_t) override { network = true; }
  void untrouble(NodeIndex, LinkDirection, std::uint64_t) override { network = true; }
  void half_open(NodeIndex) override { network = true; }
  void close_half_open(NodeIndex) override { network = true; }
};

}  // namespace

class FaultKindTest : public QObject {
  Q_OBJECT
 private slots:
  // A live run without one of these has no proxies.
  void whatCanBeProducedLiveSaysWhetherItActsOnTheNetwork() {
    int seen = 0;
    for (const FaultKind& kind : all_fault_kinds()) {
      if (!kind.live) continue;
      Watched world;
      kind.begin(world, FaultCall{});
      FaultCall call;
      for (call.tick = 1; kind.act != nullptr && call.tick <= 2; ++call.tick) kind.act(world, call);
      if (kind.end != nullptr) kind.end(world, FaultCall{});
      QVERIFY2(world.network == kind.of_network, std::string(kind.name).c_str());
      ++seen;
    }
    QVERIFY(seen >= 27);
  }
};

LEASESCOPE_SUITE(FaultKindTest)
#include "fault_kind_test.moc"
