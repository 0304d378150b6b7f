// What etcd's gateway answers, read from its text: JSON in which 64-bit numbers are strings, bytes are base64, and what
// is zero, false or empty is left out.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace leasescope::etcd {

struct KeyValue {
  std::string key;
  std::string value;  // empty where only keys were asked for
  std::int64_t created = 0;
  std::int64_t modified = 0;
  std::int64_t lease = 0;
};

struct RangeAnswer {
  std::int64_t revision = 0;  // of the store, when it was answered
  std::vector<KeyValue> keys;
  bool more = false;
};

struct KeyChange {
  bool deleted = false;
  KeyValue now;  // deleted: its key, and in which revision it went
};

// A line of a watch's stream.
struct WatchAnswer {
  std::int64_t revision = 0;
  bool created = false;
  bool canceled = false;       // nothing else will come
  std::int64_t compacted = 0;  // canceled, as what it was to begin with is forgotten up to there
  std::string reason;
  std::vector<KeyChange> changes;
};

struct LeaseAnswer {
  std::int64_t left = 0;  // s, rounded down; below zero: there is no such lease
  std::int64_t granted = 0;
};

// Why there is no answer: in etcd's words, or in ours where it is no answer of etcd's.
struct Refusal {
  static constexpr int kNotEtcd = -1;
  int code = kNotEtcd;  // as gRPC has them
  std::string words;
};
inline constexpr int kUnauthenticated = 16;

template <class T>
using Answer = tl::expected<T, Refusal>;

Answer<RangeAnswer> read_range(std::string_view text);
Answer<WatchAnswer> read_watch(std::string_view line);
Answer<LeaseAnswer> read_lease(std::string_view text);
Answer<std::string> read_login(std::string_view text);  // the token
// Of an answer that is none of 200.
Refusal read_refusal(int status, std::string_view text);

}  // namespace leasescope::etcd
