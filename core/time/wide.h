// 128-bit integers, for products of nanoseconds that do not fit 64 bits.
#pragma once

namespace leasescope {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

}  // namespace leasescope
