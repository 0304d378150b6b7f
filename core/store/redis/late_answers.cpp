#include "core/store/redis/late_answers.h"

#include "core/store/redis/resp_reader.h"

namespace leasescope::redis {
namespace {

class RedisAnswers final : public LateAnswers {
 public:
  std::vector<bool> releases(std::string_view bytes) override {
    std::vector<bool> out;
    reader_.feed(bytes);
    for (;;) {
      const auto value = reader_.next();
      if (!value || !*value) return out;
      if ((*value)->kind == RespValue::Kind::kInteger) out.push_back((*value)->integer == 1);
    }
  }

 private:
  RespReader reader_;
};

}  // namespace

std::unique_ptr<LateAnswers> make_late_answers() { return std::make_unique<RedisAnswers>(); }

}  // namespace leasescope::redis
