#include "core/store/postgres/belief_sender.h"

#include <libpq-fe.h>

#include <string_view>
#include <utility>

#include "core/base/escaped.h"
#include "core/observe/belief.h"

namespace leasescope::postgres {
namespace {

constexpr int kMostOpen = 16;               // statements; a server that does not keep up is told no more
constexpr std::string_view kMayNot = "42";  // the class of SQLSTATE: no right, or no such function

class ChannelSender final : public BeliefSender {
 public:
  ChannelSender(Loop& loop, const StoreUrl& url, Events events)
      : events_(std::move(events)),
        line_(
            loop, url, [](const Endpoint& server) { return server; }, {"select 1"},
            Line::Events{[this] {
                           open_ = 0;
                           events_.ready();
                         },
                         [](const std::string&) {}}) {
    line_.connect();
  }

  bool send(const std::string& /*mutex*/, const std::string& text) override {
    if (refused_) return true;
    if (open_ >= kMostOpen) return false;
    const bool runs =
        line_.run({"select pg_notify($1, $2)", {std::string(kBeliefChannel), text}, {}, [this](const PGresult* result) {
                     if (result != nullptr) on_result(result);
                   }});
    open_ += runs;
    return true;  // when it is up all is told again
  }

 private:
  void on_result(const PGresult* result) {
    --open_;
    line_.proven();
    if (PQresultStatus(result) == PGRES_TUPLES_OK || refused_) return;
    // Another error, as of a queue of notifications that is full, is over some time.
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    refused_ = state != nullptr && std::string_view(state).substr(0, kMayNot.size()) == kMayNot;
    events_.refused(escaped(PQresultErrorMessage(result), kLongestError));
  }

  Events events_;
  int open_ = 0;
  bool refused_ = false;
  PostgresLine line_;
};

}  // namespace

std::unique_ptr<BeliefSender> belief_sender(Loop& loop, const StoreUrl& url, BeliefSender::Events events) {
  return std::make_unique<ChannelSender>(loop, url, std::move(events));
}

}  // namespace leasescope::postgres
