// A plan of toxics: a small TOML file, and what carries it out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "simulator/live/fault_proxy.h"
#include "simulator/scenario/reader.h"

namespace leasescope {

struct ToxicPlan {
  std::string file;
  std::vector<ToxicRow> rows;
  std::vector<int> lines;  // of the rows

  // The first row that acts on frames; null: bytes are enough.
  const ToxicRow* reads_frames() const;
  std::string place(const ToxicRow& row) const;  // "plan.toml:7"
};

// Errors name file, line, column and what was expected.
tl::expected<ToxicPlan, InputError> read_toxic_plan(std::string_view toml, const std::string& file);

// Arms a plan's toxics on a proxy at their times, all of one moment at once, and takes them away again.
class ToxicSchedule {
 public:
  // `told`: every injection; `changed`: a row began or ended.
  struct Log {
    std::function<void(const Injection&)> told;
    std::function<void(const ToxicRow&, bool began)> changed;
  };
  ToxicSchedule(Loop& loop, FaultProxy& proxy, const ToxicPlan& plan, std::uint64_t seed, Log log);

  // Its time 0 is now. What is armed at 0 is so before the first connection comes.
  void begin();

 private:
  struct Entry {
    std::shared_ptr<Toxic> toxic;
    TrueTime begins{};
    TrueTime ends = TrueTime::max();
    bool armed = false;
    bool over = false;
  };

  void act();

  Loop* loop_;
  FaultProxy* proxy_;
  std::vector<Entry> entries_;
  Log log_;
  OneShot timer_;
};

}  // namespace leasescope
