#include "core/store/postgres/mutex_channels.h"

#include <libpq-fe.h>

#include <utility>

#include <fmt/format.h>

#include "core/base/escaped.h"
#include "core/observe/belief.h"
#include "core/store/postgres/texts.h"

namespace leasescope::postgres {
namespace {

using namespace std::chrono_literals;

// So often it is asked for a sign of life, which also keeps the session from being idle for too long.
constexpr Duration kBetweenBeats = 2s;
constexpr Duration kPatience = 3s;  // for an answer

ServerWalk::Way straight() {
  return [](const Endpoint& server) { return server; };
}

bool is_refused(const PGresult* result) { return PQresultStatus(result) == PGRES_FATAL_ERROR; }
std::string words_of(const PGresult* result) { return escaped(PQresultErrorMessage(result), kLongestError); }

}  // namespace

MutexChannels::MutexChannels(Loop& loop, const StoreUrl& url, Ends ends)
    : ends_(std::move(ends)),
      line_(loop, url, straight(), {"select 1"},
            {[this] { on_up(); }, [this](const std::string& why) { on_down(why); }},
            [this](std::string_view channel, std::string_view text) { on_message(channel, text); }),
      beat_(loop),
      silence_(loop) {}

void MutexChannels::open() {
  if (!std::exchange(open_, true)) line_.connect();
}

void MutexChannels::on_up() {
  stood_ = true;
  refused_ = hears_beliefs_ = false;
  if (ends_.belief) listen_for_beliefs();
  listen_to_mutexes();
}

void MutexChannels::on_down(const std::string& why) {
  beat_.cancel();
  silence_.cancel();
  // A line that has stood is there again in a moment.
  if (std::exchange(stood_, false)) return;
  ends_.unheard(why);
  if (ends_.belief) ends_.no_beliefs(why);
}

void MutexChannels::on_message(std::string_view channel, std::string_view text) {
  if (channel == kBeliefChannel) {
    if (ends_.belief) ends_.belief(text);
    return;
  }
  const auto found = mutexes_.find(std::string(channel));
  if (found != mutexes_.end()) ends_.told(found->second, text);
}

void MutexChannels::listen_for_beliefs() {
  ask(fmt::format("listen \"{}\"", kBeliefChannel), [this](const PGresult* result) {
    hears_beliefs_ = !is_refused(result);
    if (!hears_beliefs_) ends_.no_beliefs(words_of(result));
  });
}

void MutexChannels::listen_to_mutexes() {
  if (!listens()) return;
  std::vector<std::string> all;
  for (const auto& [channel, mutex] : mutexes_) all.push_back(channel);
  listen(all, {});
  beat_.arm(kBetweenBeats, [this] { keep_asking(); });
}

void MutexChannels::follow(const std::set<std::string>& mutexes) {
  std::vector<std::string> come, gone;
  for (auto each = mutexes_.begin(); each != mutexes_.end();) {
    if (mutexes.count(each->second) > 0) {
      ++each;
      continue;
    }
    gone.push_back(each->first);
    each = mutexes_.erase(each);
  }
  for (const std::string& mutex : mutexes) {
    if (mutexes_.size() >= kMostChannels) break;
    std::string channel = channel_of(mutex);
    if (mutexes_.emplace(channel, mutex).second) come.push_back(std::move(channel));
  }
  listen(come, gone);
  too_many_ = mutexes.size() > kMostChannels;
  if (come.empty()) tell_if_too_many();
}

void MutexChannels::tell_if_too_many() {
  if (too_many_ && listens() && !std::exchange(told_too_many_, true)) ends_.too_many();
}

// Their names are letters, digits and underlines alone.
void MutexChannels::listen(const std::vector<std::string>& come, const std::vector<std::string>& gone) {
  if (!listens() || (come.empty() && gone.empty())) return;
  std::string sql;
  for (const std::string& channel : gone) sql += "unlisten " + channel + "; ";
  for (const std::string& channel : come) sql += "listen " + channel + "; ";
  ask(std::move(sql), [this, come](const PGresult* result) { on_listening(come, result); });
}

void MutexChannels::on_listening(const std::vector<std::string>& come, const PGresult* result) {
  if (is_refused(result)) {
    refused_ = true;
    return ends_.unheard(words_of(result));
  }
  for (const std::string& channel : come)
    if (const auto found = mutexes_.find(channel); found != mutexes_.end()) ends_.begun(found->second);
  tell_if_too_many();
}

// A session that has forgotten what it listens to is as lost as one that says nothing.
void MutexChannels::keep_asking() {
  silence_.arm(kPatience, [this] { line_.abandon("no answer within 3s"); });
  ask("select count(*) from pg_listening_channels()", [this, ours = mutexes_.size()](const PGresult* result) {
    silence_.cancel();
    const std::string expected = std::to_string(ours + (hears_beliefs_ ? 1 : 0));
    const bool counted = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
    if (counted && !refused_ && expected != PQgetvalue(result, 0, 0))
      return line_.abandon("the session does not listen any more: is it another's?");
    beat_.arm(kBetweenBeats, [this] { keep_asking(); });
  });
}

void MutexChannels::ask(std::string sql, std::function<void(const PGresult*)> done) {
  ++asked_;
  line_.run({std::move(sql), {}, {}, [done = std::move(done)](const PGresult* result) {
               if (result != nullptr) done(result);
             }});
}

}  // namespace leasescope::postgres
