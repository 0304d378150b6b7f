// Watches the leases of a MySQL or MariaDB: Simba's own table, read only (core/store/row_observer.h).
#pragma once
#include "core/store/mysql/mysql_line.h"
#include "core/store/row_observer.h"

namespace leasescope::mysql {

class MysqlObserver final : public RowObserver {
 public:
  MysqlObserver(Loop& loop, const StoreUrl& url, const ObserverTerms& terms, ObserverListener& listener);
  void begin() override { line_.connect(); }

 private:
  void ask(const std::string& after) override;
  void abandon(const std::string& why) override { line_.abandon(why); }
  void ask_foreign(const char* sql) override;
  std::string advised(const std::string& why) const override;
  std::string advised(const Answer& answer) const;
  void on_answer(const Answer& answer);

  const StoreUrl url_;
  MysqlLine line_;
  bool fenced_ = false;  // its table has a column for tokens
};

std::unique_ptr<Observer> observe(Loop& loop, const StoreUrl& url, const ObserverTerms& terms,
                                  ObserverListener& listener);

}  // namespace leasescope::mysql
