// A recording goes to any sink: all of it once and in order, also where the sink takes its time; who leaves says so
// first.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "core/history/recording/recording_sink.h"
#include "core/history/recording/recording_writer.h"
#include "tests/support/recordings.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace leasescope::tests;
using namespace std::chrono_literals;

namespace {

// What it is given it keeps; while it is away it waits, unless it is to hurry.
struct Kept {
  std::vector<Event> events;
  std::vector<std::string> names;
  bool ended = false, closed = false;
};

class Sink final : public RecordingSink {
 public:
  explicit Sink(Kept& kept) : kept_(kept) {}

  void write(const RecordingBatch& batch) override {
    std::unique_lock held(lock_);
    changed_.wait(held, [&] { return !is_away_ || hurried_; });
    if (is_away_) {
      error_ = reason_ = "it is away";
      return;
    }
    if (batch.first != kept_.events.size() + 1 && !batch.events.empty()) error_ = "not in order";
    kept_.events.insert(kept_.events.end(), batch.events.begin(), batch.events.end());
    kept_.names.insert(kept_.names.end(), batch.names.begin(), batch.names.end());
    kept_.ended = kept_.ended || batch.outcome;
  }
  void close() override { kept_.closed = true; }
  std::uint64_t written() const override { return kept_.events.size(); }
  const std::string& error() const override { return error_; }
  const std::string& reason() const override { return reason_; }
  void hurry() override {
    {
      const std::lock_guard held(lock_);
      hurried_ = true;
    }
    changed_.notify_all();
  }
  std::string away() const override {
    const std::lock_guard held(lock_);
    return is_away_ ? "away" : "";
  }
  void go(bool away) {
    {
      const std::lock_guard held(lock_);
      is_away_ = away;
    }
    changed_.notify_all();
  }

 private:
  Kept& kept_;
  mutable std::mutex lock_;
  std::condition_variable changed_;
  bool is_away_ = false, hurried_ = false;
  std::string error_, reason_;
};

RecordingTerms small() {
  RecordingTerms out;
  out.most_waiting = 500;
  out.written_at = 100;
  out.written_after = 1ms;
  return out;
}

}  // namespace

class RecordingSinkTest : public QObject {
  Q_OBJECT

  Kept kept_;
  Sink* sink_ = nullptr;

  std::unique_ptr<RecordingWriter> writer() {
    kept_ = {};
    auto sink = std::make_unique<Sink>(kept_);
    sink_ = sink.get();
    return std::make_unique<RecordingWriter>("a sink", std::move(sink), small());
  }
  void all_is_kept(const History& history) {
    QCOMPARE(kept_.events.size(), history.events.size());
    for (std::size_t i = 0; i < kept_.events.size(); ++i) QVERIFY(same(kept_.events[i], history.events[i]));
    QCOMPARE(kept_.names.size(), history.names.size());
  }

 private slots:
  void allOfItGoesThereOnce() {
    const auto out = writer();
    ToldHistory told;
    for (int i = 0; i < 30; ++i) {
      told.grow(77);
      out->append(told.history());
    }
    QVERIFY(out->finish(told.history(), {}).has_value());
    QVERIFY(kept_.ended && kept_.closed);
    all_is_kept(told.history());
  }
  // Nobody waits for it: what has no room stays with the history, and nothing is missing when it is there again.
  void whatComesWhileItIsAwayIsWrittenWhenItIsThere() {
    const auto out = writer();
    ToldHistory told;
    sink_->go(true);
    QCOMPARE(out->away(), std::string("away"));
    for (int i = 0; i < 30; ++i) {
      told.grow(100);
      out->offer(told.history());
    }
    QVERIFY(out->taken() < told.history().last());
    QCOMPARE(out->written(), std::uint64_t{0});
    sink_->go(false);
    QVERIFY(QTest::qWaitFor([&] {
      out->offer(told.history());
      return out->written() == told.history().last();
    }));
    QVERIFY(out->finish(told.history(), {}).has_value());
    all_is_kept(told.history());
  }
  void whoeverLeavesWhileItIsAwayIsNotKept() {
    const auto out = writer();
    ToldHistory told;
    sink_->go(true);
    told.grow(3'000);
    out->offer(told.history());
    const auto done = out->finish(told.history(), {});
    QVERIFY(!done && done.error() == "it is away");
    QVERIFY(kept_.closed && !kept_.ended);
  }
};

LEASESCOPE_SUITE(RecordingSinkTest)
#include "recording_sink_test.moc"
