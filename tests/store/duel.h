// What a model and its live server came to over the same sequence of calls.
#pragma once
#include <QTest>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/name.h"
#include "core/store/store.h"

namespace leasescope::tests {

struct DuelVerdict {
  enum class Kind {
    kAgreed,
    kDiffered,
    kTooLate,  // a call came so close to the end of a lease that either answer would have been right
  };
  Kind kind = Kind::kAgreed;
  std::string trace;  // every step with what the server said; where they differed, also what the model did
  std::uint64_t calls = 0;
};

// Those of a batch, without a bound.
class ManyNames final : public WireNames {
 public:
  std::string text(Name name) const override { return std::string(table_.text(name)); }
  Name intern(std::string_view text) override { return table_.intern(text); }

 private:
  NameTable table_;
};

// How much of a campaign is asked for; by itself a test plays a thousand.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}
inline std::uint64_t sequences_wanted() { return from_environment("LEASESCOPE_SEQUENCES", 1000); }
inline std::uint64_t first_seed() { return from_environment("LEASESCOPE_SEED", 1); }

}  // namespace leasescope::tests
