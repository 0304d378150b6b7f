#include "core/store/redis/belief_sender.h"

#include <utility>

#include "core/base/escaped.h"
#include "core/observe/belief.h"

namespace leasescope::redis {
namespace {

class ChannelSender final : public BeliefSender {
 public:
  ChannelSender(Loop& loop, const StoreUrl& url, Events events)
      : events_(std::move(events)),
        line_(loop, url, Login(url), nullptr,
              TalkEnds{{[this] { events_.ready(); }, [](const std::string&) {}},
                       [this](const RespValue& answer) { on_answer(answer); }}) {
    line_.connect();
  }

  // A server that takes nothing breaks the line before much has gathered (RedisLine::keep_at_most).
  void send(const std::string& mutex, const std::string& text) override {
    if (!refused_) line_.command(std::vector<std::string>{"PUBLISH", std::string(kBeliefChannel) + ":" + mutex, text});
  }

 private:
  void on_answer(const RespValue& answer) {
    line_.proven();
    if (answer.kind != RespValue::Kind::kError || std::exchange(refused_, true)) return;
    events_.refused(escaped(answer.text, kLongestError));
  }

  Events events_;
  bool refused_ = false;
  RedisLine line_;
};

}  // namespace

std::unique_ptr<BeliefSender> belief_sender(Loop& loop, const StoreUrl& url, BeliefSender::Events events) {
  return std::make_unique<ChannelSender>(loop, url, std::move(events));
}

}  // namespace leasescope::redis
