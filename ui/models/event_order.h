// An order of rows other than that of time, made beside the window: what each row is sorted by is read in the window's
// thread, where the history grows, a slice at a time, and all of it is put in order on another. While it is made that
// takes twelve bytes a row, and half as many again for its merging; what comes of it is four bytes a row.
#pragma once
#include <QFutureWatcher>
#include <QObject>
#include <QTimer>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace leasescope {

class EventOrder : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kAtOnce = 65'536;  // rows that are put in order here in less than a frame
  static constexpr std::size_t kSlice = 65'536;   // whose keys are read in one go

  struct Row {
    std::uint32_t high = 0, low = 0;  // of its key
    std::uint32_t event = 0;          // its place in the history

    static Row of(std::uint64_t key, std::size_t event) {
      return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key),
              static_cast<std::uint32_t>(event)};
    }
  };
  static_assert(sizeof(Row) == 12);
  // Appends the rows from one to before another, in whatever order; false: there are no such rows any more.
  using Fill = std::function<bool(std::vector<Row>& rows, std::size_t from, std::size_t to)>;

  explicit EventOrder(QObject* parent = nullptr);
  ~EventOrder() override { cancel(); }

  // The events of few rows by their keys, of equal keys in the order of time; `backwards`: all of it the other way
  // round. Empty where `fill` found none.
  static std::vector<std::uint32_t> here(std::size_t rows, const Fill& fill, bool backwards);
  // The same of many, beside the window; ready() tells. What was asked for before is cancelled.
  void begin(std::size_t rows, Fill fill, bool backwards);
  // At once; whoever is at it on another thread leaves off soon and is not waited for.
  void cancel();
  bool busy() const { return job_ != nullptr; }

 signals:
  void ready(std::vector<std::uint32_t>& events);  // to be taken away

 private:
  struct Job {
    std::vector<Row> rows;
    std::vector<std::uint32_t> events;
    bool backwards = false;
    std::atomic<bool> wanted{true};
  };
  static void arrange(Job& job);
  void read();
  void hand();
  void take();

  std::shared_ptr<Job> job_;
  std::size_t rows_ = 0;
  Fill fill_;
  QTimer slices_;
  QFutureWatcher<void> watcher_;
};

}  // namespace leasescope
