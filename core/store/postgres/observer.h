// Watches the leases of a PostgreSQL: the table of its store, read only (core/store/row_observer.h).
#pragma once
#include "core/store/postgres/postgres_line.h"
#include "core/store/row_observer.h"

namespace leasescope::postgres {

class PostgresObserver final : public RowObserver {
 public:
  PostgresObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);
  void begin() override;

 private:
  void ask(const std::string& after) override;
  void abandon(const std::string& why) override { line_.abandon(why); }
  void ask_foreign(const char* sql) override;
  std::string advised(const std::string& why) const override;
  void on_result(const PGresult* result);
  void listen_for_beliefs(Loop& loop, const StoreUrl& url, ObserverListener& listener);

  const StoreUrl url_;
  PostgresLine line_;
  std::unique_ptr<PostgresLine> beliefs_;  // null: nobody wants to hear of them
  bool told_refusal_ = false;
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::postgres
