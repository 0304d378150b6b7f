// Watches a store whose mutexes are rows of one table, which one statement reads: as often as it is told to, and when a
// lease is about to end. Then the locks of other makers, a statement each. Where the store tells of a change that mutex
// is looked at by itself, before whatever is next.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/loop/one_shot.h"
#include "core/observe/observer.h"
#include "core/store/foreign_rows.h"
#include "core/store/line.h"

namespace leasescope {

class RowObserver : public Observer {
 public:
  ObserverFigures figures() const override;
  TrueTime quiet_until(const std::string&) const override { return TrueTime::min(); }

 protected:
  // As the statement gives them: what is left is counted by the server's clock, below zero when it is over.
  struct Row {
    std::string mutex;
    std::string owner;
    std::int64_t ttl_left_ms = 0;
    std::int64_t left_ms = 0;
    Token token = kNoToken;
    std::uint64_t version = 0;  // rises with whatever is done to it
    std::vector<std::pair<std::string, std::string>> raw;
  };

  // Other makers' locks of these forms are looked for.
  RowObserver(Loop& loop, const ObserverTerms& terms, const std::vector<RowForm>& forms, ObserverListener& listener);

  Line::Events events_of_line();
  static constexpr std::size_t kPage = 500;  // rows of one answer

  // Asks for the first kPage rows whose names are behind that one, in their order, and leads to exactly one of the
  // three, or to the line's end.
  virtual void ask(const std::string& after) = 0;
  // Asks for the rows of these, at most kPage, with the same endings: of a store that tells of changes.
  virtual void ask_of(const std::vector<std::string>& /*mutexes*/) {}
  // All that are known, after each look at all of them: those of whose changes the store may tell.
  virtual void looked_through(const std::set<std::string>& /*mutexes*/) {}
  // Something was told of that mutex: it is looked at once more, in a moment.
  void look_again(const std::string& mutex);
  // Runs such a statement, and leads to exactly one of the two below, or to the line's end.
  virtual void ask_foreign(const char* sql) = 0;
  // The line is given up.
  virtual void abandon(const std::string& why) = 0;
  // Why the line broke, or could not be made, and what to do about it; asked before the next one is tried.
  virtual std::string advised(const std::string& why) const = 0;
  // Before that answer is taken: the server's clock showed so many ms since 1970, rounded down.
  void shows_clock(std::int64_t ms);
  void take(const std::vector<Row>& rows);
  // Each `why` with what to do about it.
  void nothing_there(const std::string& why);  // no table: nobody has ever used it
  void refuse(const std::string& why);
  using Cells = std::vector<std::string>;
  void take_foreign(const std::vector<Cells>& rows);
  void refuse_foreign(const std::string& why);

 private:
  void look(const std::string& after = {});
  void look_at_told(Loop::Task then);
  void take_told(const std::vector<Row>& rows);
  void look_soon_at_told();
  void rest();
  void send();
  void look_at_foreign();
  void look_on_at_foreign();
  void hide_foreign(const std::vector<std::string>& mutexes);
  void on_down(const std::string& why);
  void answered();
  bool is_wanted(const std::string& mutex) const;
  static Sighting sighting_of(const Row& row);
  void see(const Row& row);
  void see_nobody(const std::string& mutex);
  void tell(Sighting seen);
  void look_later(Duration nearest_end);

  Loop* loop_;
  const ObserverTerms terms_;
  ObserverListener* listener_;
  ObserverFigures figures_;
  ClockOffset clock_;
  TrueTime asked_{}, last_answer_{}, blind_since_{};
  bool open_ = false;
  bool blind_ = true;
  bool told_all_ = false;
  std::int64_t nearest_ = INT64_MAX;    // ms: what is left of the lease that ends first
  std::set<std::string> there_, gone_;  // as of the last look; of the one before, not met in this one yet
  std::vector<ForeignRows> foreign_;
  std::size_t at_ = 0;  // of them, whose turn it is
  bool tries_ = false;  // whether there is anything to read of it
  TrueTime began_{};    // the look
  // Of these something was told; of these in the statement that is under way, and what is done after it.
  std::set<std::string> told_, looked_at_;
  Loop::Task then_;
  TrueTime told_asked_{};              // when they were asked for last
  TrueTime next_at_{}, not_before_{};  // the next look at all
  OneShot next_, soon_, patience_;
};

}  // namespace leasescope
