// What is asked of etcd's gateway, which is all that is: nothing of it writes a byte there.
#pragma once
#include <cstdint>
#include <string>

namespace leasescope::etcd {

// The body of a POST to that path of a server.
struct Question {
  std::string path;
  std::string body;
};

// Keys from `from` up to `to`, which is not one of them.
struct KeySpan {
  std::string from, to;
};
// All keys that begin so; all that there are where nothing is said.
KeySpan keys_with(const std::string& prefix);

// The first so many of them, without their values, as they are, or were at that revision (0: as they are).
Question range_question(const KeySpan& span, int limit, std::int64_t revision);
Question value_question(const std::string& key);
// Whether that one is there: what is cheap to answer, and only in agreement with the majority.
Question sign_of_life_question(const std::string& key);
// Each change of them from that revision on, in a stream of lines.
Question watch_question(const KeySpan& span, std::int64_t revision);
Question lease_question(std::int64_t lease);
Question login_question(const std::string& user, const std::string& password);

}  // namespace leasescope::etcd
