#include "core/store/redis/belief_sender.h"

#include <utility>

#include "core/base/escaped.h"
#include "core/observe/belief.h"

namespace leasescope::redis {
namespace {

constexpr std::size_t kMostUnwritten = 1024 * 1024;  // what many contenders believe, told together when it comes up

class ChannelSender final : public BeliefSender {
 public:
  ChannelSender(Loop& loop, const StoreUrl& url, Events events)
      : events_(std::move(events)),
        line_(loop, url, Login(url), nullptr,
              TalkEnds{{[this] { events_.ready(); }, [](const std::string&) {}},
                       [this](const RespValue& answer) { on_answer(answer); }}) {
    line_.keep_at_most(kMostUnwritten);
    line_.connect();
  }

  // A server that takes nothing breaks the line before much has gathered (RedisLine::keep_at_most).
  bool send(const std::string& mutex, const std::string& text) override {
    if (!refused_) line_.command(std::vector<std::string>{"PUBLISH", std::string(kBeliefChannel) + ":" + mutex, text});
    return true;
  }

 private:
  void on_answer(const RespValue& answer) {
    line_.proven();
    if (answer.kind != RespValue::Kind::kError || refused_) return;
    // Another error, as of a server that is busy with a script, is over some time.
    refused_ = answer.text.compare(0, 6, "NOPERM") == 0;
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
