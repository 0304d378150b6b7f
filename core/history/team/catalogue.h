// What a team has recorded: its recordings, and which of them know a mutex.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "core/history/team/connection.h"

namespace leasescope::team {

inline constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

// Moments are in ns since 1970, by the clock of the machine that observed.
struct TeamRecording {
  enum class State : std::uint8_t {
    kGoesOn,
    kEnded,     // its observer was ended as it should be
    kBrokenOff  // or not, or cannot reach the database: what came after is not observed
  };

  std::int64_t id = 0;
  std::string observer;
  State state = State::kEnded;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;   // so far it is known
  std::int64_t kept_ns = 0;  // from there on: what was before has been dropped; begin_ns: nothing has
  std::uint64_t events = 0;
  std::uint64_t mutexes = 0;
  std::string store, program;
  std::int64_t next_ns = kEver;  // the observer's next one begins; kEver: there is none
};
std::string_view text(TeamRecording::State state);  // "goes on"

// One connection that reads, of one moment of all that there is.
class TeamReading {
 public:
  // The error names the database and says what to do. Once `leaving` says so no answer is waited for any longer.
  static tl::expected<std::shared_ptr<TeamReading>, std::string> open(const StoreUrl& url,
                                                                      const std::atomic<bool>* leaving = nullptr);

  // In the order of their begins; of one observer, or of all.
  tl::expected<std::vector<TeamRecording>, std::string> recordings(const std::string& observer = {});

  // How many alerts were told of, by the numbers of those recordings that keep it.
  tl::expected<std::map<std::int64_t, std::uint64_t>, std::string> alerts();

  // One answer; an error as people are told it.
  tl::expected<SqlRows, std::string> ask(const SqlCall& call);
  tl::expected<SqlRows, std::string> ask_much(const SqlCall& call);
  const std::string& name() const { return name_; }  // the database's, without its password

 private:
  TeamReading(const StoreUrl& url, std::unique_ptr<Connection> database);

  const StoreUrl url_;
  const std::string name_;
  std::unique_ptr<Connection> database_;
};

}  // namespace leasescope::team
