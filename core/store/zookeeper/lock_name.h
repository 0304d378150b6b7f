// The nodes of a fenced lock's line, `<session>-<thread>-<uid>-lock-0000000007`, under /simba/<mutex>:fenced.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leasescope::zookeeper {

std::string lock_folder_of(std::string_view mutex);
// Whose folder of that name in /simba it is; none: it is no fenced lock's.
std::optional<std::string_view> mutex_of_lock_folder(std::string_view name);
// What a session's nodes begin with.
std::string beginning_of_session(std::uint64_t session);
// What the nodes of one thread's calls begin with.
std::string beginning_of_thread(std::uint64_t session, std::uint32_t thread);
// And that of one call, up to its number.
std::string beginning_of_call(std::uint64_t session, std::uint32_t thread, std::uint64_t uid);
// None: it is no place in the line of a thread that begins so.
std::optional<std::uint64_t> uid_of(std::string_view name, std::string_view beginning);
// Who stands in a place, by the data of its node: "a", and of other threads than the first "a, thread 2".
std::string endpoint_text(std::string_view name, std::string_view data);
// In the order in which they came; what is no place in a line is left out.
std::vector<std::string> line_of(const std::vector<std::string>& names);

}  // namespace leasescope::zookeeper
