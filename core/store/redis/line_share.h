// One store's share of a line that others use too: it comes up and breaks like a line of its own, and hears its own
// answers and channels alone.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/store/redis/shared_line.h"
#include "core/store/redis/talk.h"

namespace leasescope::redis {

class SharedLines;

class LineShare final : public Talk {
 public:
  // `line` is one of these lines, which last as long as one of their shares. `patience`: how long its calls wait for an
  // answer.
  LineShare(Loop& loop, std::shared_ptr<SharedLines> lines, SharedLine& line, Duration patience, TalkEnds ends);
  ~LineShare() override;

  bool command(const std::vector<std::string>& words) override { return up() && line_->command(seat_, words); }
  bool command(const Command& commands) override { return up() && line_->command(seat_, commands); }
  const Endpoint& server() const override { return line_->server(); }
  void look_elsewhere(const std::string& reason) override { line_->look_elsewhere(reason); }

  // ---- for the line
  Duration patience() const { return patience_; }
  void line_stands();
  void hear(const RespValue& value) { said_(value); }

 private:
  void begin() override;
  void drop(bool hard) override;
  std::string in_vain() const override;

  std::shared_ptr<SharedLines> lines_;
  SharedLine* line_;
  Duration patience_;
  std::function<void(const RespValue&)> said_;
  SharedLine::Seat seat_ = 0;  // 0: between two attempts
  bool waits_ = false;         // between two attempts, for the line
  OneShot stands_;             // the line did already when it came
};

}  // namespace leasescope::redis
