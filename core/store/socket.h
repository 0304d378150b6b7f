// Descriptors of our own lines: they never wait, never raise a signal, send at once, and notice a peer that vanished.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "core/store/url.h"

namespace leasescope {

// A descriptor on its way to a numeric address or a socket's path; it is connected or refused once it can be written
// to. Errors are the system's words.
tl::expected<int, std::string> begin_connect(const Endpoint& endpoint);
// What became of it: empty when it is connected.
std::string connect_error(int descriptor);

// For a descriptor of either end: no gathering of small packets; within about 15 s a vanished peer is an error.
void tune_line(int descriptor);

// What can be written or read now. 0: nothing for now. Errors are the system's words; at the end of what the peer says
// read_some() says so.
tl::expected<std::size_t, std::string> write_some(int descriptor, std::string_view bytes);
tl::expected<std::size_t, std::string> read_some(int descriptor, char* into, std::size_t size);

// When it is closed, what is not sent yet never will be, and the peer sees a reset.
void forget_unsent(int descriptor);
// `hard`: so.
void close_line(int descriptor, bool hard);

}  // namespace leasescope
