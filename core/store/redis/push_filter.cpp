#include "core/store/redis/push_filter.h"

#include "core/store/redis/resp_reader.h"

namespace leasescope::redis {
namespace {

class RespFilter final : public PushFilter {
 public:
  std::string pass(std::string_view bytes, bool drop, const Dropped& dropped) override {
    if (broken_) return std::string(bytes);
    kept_ += bytes;
    reader_.feed(bytes);
    std::string out;
    std::size_t at = 0;
    for (;;) {
      const auto value = reader_.next();
      broken_ = !value;
      if (broken_ || !*value) break;
      const std::vector<RespValue>& items = (*value)->items;
      if (drop && items.size() == 3 && items[0].text == "message") {
        dropped(items[2].text);
      } else {
        out.append(kept_, at, reader_.size_of_last());
      }
      at += reader_.size_of_last();
    }
    if (broken_) {
      out.append(kept_, at);
      at = kept_.size();
    }
    kept_.erase(0, at);
    return out;
  }

 private:
  RespReader reader_;
  std::string kept_;     // what the reader has not made a value of
  bool broken_ = false;  // nothing can be told apart any more; who reads it will see the same
};

}  // namespace

std::unique_ptr<PushFilter> make_push_filter() { return std::make_unique<RespFilter>(); }

}  // namespace leasescope::redis
