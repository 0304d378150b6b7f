// The forms that the steps of a bank's transfers may have (bank.h).
#pragma once
#include <cstdint>
#include <string_view>

#include "core/contend/step_pipeline.h"

namespace leasescope {

enum class TransferForm : std::uint8_t {
  kNone,        // no bank
  kNaive,       // the lease is asked for before the first step alone; each step does what it says, each time
  kChecked,     // the lease is asked for before each step
  kIdempotent,  // likewise; and each step names its transfer, does nothing a second time, and is recorded
};

constexpr PipelineTerms pipeline_of(TransferForm form) {
  constexpr std::uint8_t kSteps = 5;
  if (form == TransferForm::kNone) return {};
  return {kSteps, form != TransferForm::kNaive};
}

constexpr std::string_view text(TransferForm form) {
  switch (form) {
    case TransferForm::kNone:
      return "none";
    case TransferForm::kNaive:
      return "naive";
    case TransferForm::kChecked:
      return "checked";
    case TransferForm::kIdempotent:
      return "idempotent";
  }
  return {};
}

}  // namespace leasescope
