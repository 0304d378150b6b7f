// Which build this is: "0.1.0 (ed3836d, Release)"; without a repository around it the commit is left out.
#pragma once

namespace leasescope {

const char* version_text();

}  // namespace leasescope
