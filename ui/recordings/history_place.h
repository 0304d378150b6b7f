// Where a history lies: in a file, or in a team's database.
#pragma once
#include <QString>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "core/history/recording/history_source.h"
#include "core/store/url.h"

namespace leasescope {

class HistoryPlace {
 public:
  HistoryPlace() = default;  // nowhere
  static HistoryPlace file(const QString& path);
  // Of a text that names a team's database, and its password where that stands elsewhere; empty: where libpq looks for
  // one. The error says what was expected, and repeats no password.
  static tl::expected<HistoryPlace, QString> team(const QString& text, const QString& password = {});
  // Rather than a file.
  static bool namesTeam(const QString& text);

  bool isTeam() const { return team_.has_value(); }
  // By which it is known again: the file's path, or the database's address without its password.
  const QString& word() const { return word_; }
  // For titles: the file's name, or "joe@host:5432/team".
  QString name() const;

  // Waits for the disk or the server, but no longer than a moment once it is `leaving`, which has to outlive what is
  // opened. The error says what to do.
  tl::expected<std::unique_ptr<HistorySource>, std::string> open(const std::atomic<bool>& leaving) const;

 private:
  QString word_;
  std::optional<StoreUrl> team_;
};

}  // namespace leasescope
