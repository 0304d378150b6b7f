// Watches the leases of a PostgreSQL: the table of its store, read only (core/store/row_observer.h), and the messages
// that tell of changes.
#pragma once
#include "core/store/postgres/mutex_channels.h"
#include "core/store/postgres/postgres_line.h"
#include "core/store/row_observer.h"

namespace leasescope::postgres {

class PostgresObserver final : public RowObserver {
 public:
  PostgresObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);
  void begin() override;
  ObserverFigures figures() const override;
  std::string server() const override;

 private:
  Line::Events events();
  MutexChannels::Ends ends_of_channels(bool beliefs);
  void ask(const std::string& after) override;
  void ask_of(const std::vector<std::string>& mutexes) override;
  void looked_through(const std::set<std::string>& mutexes) override { channels_.follow(mutexes); }
  void abandon(const std::string& why) override { line_.abandon(why); }
  void ask_foreign(const char* sql) override;
  std::string advised(const std::string& why) const override;
  void on_result(const PGresult* result);
  void look_for_pooler();
  void hear(const std::string& mutex, std::string_view text);
  void say_unheard(const std::string& why);
  void say_no_beliefs(const std::string& why);

  const StoreUrl url_;
  Loop* loop_;
  ObserverListener* listener_;
  PostgresLine line_;
  MutexChannels channels_;
  bool told_unheard_ = false, told_no_beliefs_ = false;
  const bool hears_beliefs_;  // it is asked to
  const bool alone_;          // no locks of other makers are looked for
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::postgres
