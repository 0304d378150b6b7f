// The register of store models: one line each. A model is a value with the operations of RedisModel.
#pragma once
#include <variant>

#include "simulator/model/redis_model.h"

namespace leasescope {

using ServerModel = std::variant<RedisModel>;

}  // namespace leasescope
