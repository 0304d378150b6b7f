// `--set path=value`: changes a scenario's TOML before it is read, so that what the file would reject, it rejects.
#pragma once
#include "simulator/scenario/table_reader.h"

namespace leasescope {

// A dotted path with list indices; `resource.fencing` means the first of a list, `contender.*.behaviour` every one.
MaybeError apply_override(toml::table& root, const std::string& override_text);

}  // namespace leasescope
