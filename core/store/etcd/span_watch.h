// A span of an etcd's keys: all that there are, page by page at one revision, and from the next one on each change.
#pragma once
#include <functional>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/store/etcd/gateway.h"

namespace leasescope::etcd {

class SpanWatch {
 public:
  // Called from the loop, never from within a call of this class.
  struct Ends {
    std::function<void(TrueTime asked, std::int64_t revision)> answered;
    // These are all of the span that may be a place in a lock's line, without their values, as it was after `asked`.
    std::function<void(const std::vector<KeyValue>& keys, TrueTime asked)> found;
    std::function<void()> stands;  // from here on changes are told
    std::function<void(const WatchAnswer& answer)> changed;
    std::function<void(const std::string& why)> torn;  // changes were forgotten before they were told: begin() again
    std::function<void(const Refusal& why)> lost;
  };

  SpanWatch(Loop& loop, Gateway& gateway, KeySpan span, Ends ends);

  void begin();
  void lose_line();  // its gateway has forgotten what was open
  const KeySpan& span() const { return span_; }
  bool stands() const { return stands_; }

 private:
  void ask_page(const std::string& from);
  void take_page(const std::string& from, const RangeAnswer& page);
  void watch();
  void take_line(std::string_view line);

  Loop* loop_;
  Gateway* gateway_;
  const KeySpan span_;
  const Ends ends_;
  std::vector<KeyValue> found_;
  std::int64_t revision_ = 0;  // of the first page
  TrueTime asked_{};           // ... likewise
  Transfers::Id stream_ = 0;
  OneShot late_;
  bool stands_ = false;
};

}  // namespace leasescope::etcd
