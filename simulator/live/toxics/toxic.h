// A toxic: something that a network does wrong to the connections through the fault proxy. One kind, one file, and its
// name in toxics.h.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random_stream.h"
#include "core/store/frames.h"
#include "simulator/fault/port.h"

namespace leasescope {

// Bytes under way in one direction of one connection: a frame, or what has come at once where none can be told.
struct Parcel {
  Frame frame;
  TrueTime due{};              // not before; what comes later waits for it
  bool aside = false;          // nothing waits for it: only what is not in turn may be set aside
  bool lost = false;           // goes nowhere
  bool twice = false;          // and once more
  bool answered_once = false;  // of a request that goes twice: its second answer goes nowhere
  std::size_t at = 0;          // so many bytes are through
  std::uint64_t held_by = 0;   // a toxic's number for it, by which it is let go before it is due
};

// How a connection ends: in order, with a reset, or without a word, when it stays open and nothing more comes.
enum class Farewell : std::uint8_t { kClose, kReset, kSilence };

class Toxic;
struct StoreType;

// One direction of one connection, as a toxic sees it.
class Way {
 public:
  virtual ~Way() = default;
  virtual LinkDirection direction() const = 0;   // not both
  virtual std::uint64_t connection() const = 0;  // from 1, in the order in which they came
  virtual TrueTime now() const = 0;
  virtual std::int64_t& memory(const Toxic& of) = 0;  // its own, of this way; 0 at first
  // What comes from now on is lost, whatever toxic does what: the other side waits.
  virtual void silence() = 0;
  // The connection ends so when all that is under way on this way is through.
  virtual void end_after(Farewell how) = 0;
  // What was held under that number is due now.
  virtual void let_go(std::uint64_t held_by) = 0;
};

// What a toxic may do to the whole proxy.
class ToxicDesk {
 public:
  virtual ~ToxicDesk() = default;
  virtual void refuse(bool refuses) = 0;  // new connections
  virtual void end_all(Farewell how) = 0;
  // The other side is told that nothing more comes, on every connection; what comes all the same is lost.
  virtual void half_close(LinkDirection direction) = 0;
  // What is held up is lost; connections that lose something are silent in that direction from then on.
  virtual void lose_held(LinkDirection direction) = 0;
};

// At most so many bytes at once, and then so long nothing.
struct Pace {
  std::size_t most = 0;
  Duration (*gap)(std::size_t bytes, std::int64_t of) = nullptr;
  std::int64_t of = 0;
};

struct ToxicKey {
  enum class Type : std::uint8_t { kTime, kWord, kNumber };

  std::string_view name;
  Type type = Type::kTime;
  std::vector<std::string_view> words{};  // kWord: what it may say
  bool required = false;
  std::int64_t least = 0;  // kNumber: from least to most, inclusive
  std::int64_t most = 0;
  std::int64_t unsaid = 0;  // what it says where it is not given: a number, ns, the index of a word
};

struct ToxicKind;

// A line of a plan. Its values are in the order of the kind's keys: a time in ns, the index of a word, a number.
struct ToxicRow {
  const ToxicKind* kind = nullptr;
  int number = 0;    // of the plan, from 1
  Duration at{};     // since the plan began
  Duration lasts{};  // zero: to the end
  LinkDirection direction = LinkDirection::kBoth;
  std::array<std::int64_t, 4> values{};
};

// What was done to somebody's bytes, for the log.
struct Injection {
  TrueTime at{};
  const ToxicRow* row = nullptr;
  std::uint64_t connection = 0;
  LinkDirection direction = LinkDirection::kBoth;
  std::size_t bytes = 0;
  std::string what;  // "later by 20ms"
};

class Toxic {
 public:
  explicit Toxic(const ToxicRow& of) : row(of) {}
  virtual ~Toxic() = default;
  Toxic(const Toxic&) = delete;
  Toxic& operator=(const Toxic&) = delete;

  virtual void begin(ToxicDesk&) {}
  virtual void end(ToxicDesk&) {}
  // Every parcel of its direction, as it comes in.
  virtual void pass(Parcel&, Way&) {}
  // Nothing goes on while it is there.
  virtual bool holds() const { return false; }
  virtual std::optional<Pace> pace() const { return std::nullopt; }
  // That one side has closed, the other learns so much later.
  virtual Duration closes_later() const { return {}; }
  // A connection ends so long after it began, or after this was armed.
  virtual std::optional<Duration> lifetime() const { return std::nullopt; }
  virtual Farewell farewell() const { return Farewell::kClose; }
  // That way is no more.
  virtual void forget(const Way&) {}

  bool hits(LinkDirection direction) const {
    return row.direction == LinkDirection::kBoth || row.direction == direction;
  }

  const ToxicRow row;
  std::function<void(const Injection&)> told;  // where the log is

 protected:
  void tell(const Way& way, std::size_t bytes, std::string what) const {
    if (told) told({way.now(), &row, way.connection(), way.direction(), bytes, std::move(what)});
  }
};

struct ToxicKind {
  std::string_view name;   // "latency"
  std::string_view about;  // one line
  std::vector<ToxicKey> keys;
  std::vector<std::string_view> directions{"both", "to_store", "from_store"};  // the first is the default; empty: none
  bool lasts = true;                                                           // else it is done at once
  bool reads_frames = false;  // only where the store's protocol is known and not encrypted
  // Why it can do nothing to a store of that type; empty: it can. Null: to any.
  std::string (*refusal)(const ToxicRow& row, const StoreType& type) = nullptr;
  std::unique_ptr<Toxic> (*make)(const ToxicRow& row, std::uint64_t seed) = nullptr;
};

// Every kind there is.
const std::vector<ToxicKind>& all_toxic_kinds();
// Null when there is none of that name.
const ToxicKind* find_toxic_kind(std::string_view name);

}  // namespace leasescope
