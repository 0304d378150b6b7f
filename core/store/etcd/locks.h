// The locks of client v3's package concurrency among the keys of an etcd: a key "<lock>/<lease, hex>" that goes with
// that lease is a place in the lock's line, and the place that was made first holds.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/etcd/answers.h"
#include "core/store/etcd/requests.h"

namespace leasescope::etcd {

// Which lock's line a key is a place in, by its name alone.
struct LinePlace {
  std::string lock;
  std::int64_t lease = 0;
};
std::optional<LinePlace> place_of(std::string_view key);

struct Candidate {
  std::string key;
  std::int64_t created = 0;  // which makes the order of the line
  std::int64_t modified = 0;
  std::int64_t lease = 0;
  std::optional<std::string> value;  // none: it was not read yet
  // What the value was when it was read first: a candidate of an election may proclaim another one while it stands.
  std::optional<std::string> first_value;
};

struct LockLine {
  std::vector<Candidate> places;  // who holds first

  const Candidate* holder() const { return places.empty() ? nullptr : &places.front(); }
  // Who stands for election says who he is; a mutex has empty values.
  bool is_election() const;
  // "lease 694d7a1b", or the first value of whoever stands for election; empty: nobody holds.
  std::string owner() const;
};

class Locks {
 public:
  // From there on no other lock is taken up; the lines of those that are known stay whole.
  static constexpr std::size_t kMostKeys = 200'000;
  static constexpr std::size_t kMostPlaces = 2 * kMostKeys;
  static constexpr std::size_t kLongestValue = 1'024;  // of which no more is kept; far less is shown

  // Each of a key that is, or was, such a place returns the lock whose line may have changed by it.
  std::optional<std::string> put(const KeyValue& now);
  std::optional<std::string> erase(const std::string& key);
  // These, without values, are all keys of the span: returns each lock of it that there is, or was.
  std::vector<std::string> replace(const KeySpan& span, const std::vector<KeyValue>& found);
  // Its value was read while it was at that revision.
  void read_value(const KeyValue& now);

  const LockLine& line(const std::string& lock) const;
  const std::map<std::string, LockLine>& all() const { return lines_; }  // of locks that nobody holds, too
  // Others were left out. It stays so: where they come again it is not known who stands before them.
  bool is_full() const { return left_out_; }

 private:
  std::optional<std::string> put(const KeyValue& now, std::optional<std::string> value);
  std::optional<std::string> take_out(const std::string& key);

  std::map<std::string, LockLine> lines_;
  std::size_t keys_ = 0;  // and lines
  bool left_out_ = false;
};

}  // namespace leasescope::etcd
