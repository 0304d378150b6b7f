#include "ui/recordings/history_place.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>

#include <fmt/format.h>

#include "core/history/team/team_history.h"
#include "core/store/password.h"
#include "core/store/types/types.h"
#include "simulator/import/history_formats.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(HistoryPlace)
};

using Source = tl::expected<std::unique_ptr<HistorySource>, std::string>;

const StoreType& itsType() { return *find_store_type("postgres"); }

Source teamHistory(const StoreUrl& url, const std::atomic<bool>& leaving) {
  const auto reading = team::TeamReading::open(url, &leaving);
  if (!reading) return tl::unexpected(reading.error());
  const auto recordings = (*reading)->recordings();
  if (!recordings) return tl::unexpected(recordings.error());
  if (recordings->empty())
    return tl::unexpected(
        fmt::format("{0}: nothing has been recorded there yet; a watch does: leasescopectl watch STORE --record {0}",
                    (*reading)->name()));
  return team::history_of(*reading, *recordings);
}

}  // namespace

HistoryPlace HistoryPlace::file(const QString& path) {
  HistoryPlace out;
  out.word_ = path;
  return out;
}

bool HistoryPlace::namesTeam(const QString& text) {
  const auto& schemes = itsType().schemes;
  return std::any_of(schemes.begin(), schemes.end(),
                     [&](std::string_view scheme) { return text.startsWith(fromText(scheme)); });
}

tl::expected<HistoryPlace, QString> HistoryPlace::team(const QString& text, const QString& password) {
  const std::string typed = text.trimmed().toStdString();
  if (!namesTeam(text.trimmed()))
    return tl::unexpected(
        Say::tr("a team's history is kept in PostgreSQL: expected %1").arg(fromText(itsType().forms.front())));
  auto url = parse_store_url(typed);
  if (!url) return tl::unexpected(fromText(url.error()));
  if (!password.isEmpty()) url->password = password.toStdString();
  if (const auto found = fill_password(*url); !found) return tl::unexpected(fromText(found.error()));
  HistoryPlace out;
  const std::string bare = without_password(typed);
  const auto again = parse_store_url(bare);
  out.word_ = fromText(again && again->password.empty() ? bare : printable(*url));
  out.team_ = *std::move(url);
  return out;
}

QString HistoryPlace::name() const {
  return team_ ? fromText(printable(*team_)).section(QStringLiteral("://"), 1) : QFileInfo(word_).fileName();
}

Source HistoryPlace::open(const std::atomic<bool>& leaving) const {
  return team_ ? teamHistory(*team_, leaving) : open_history(word_.toStdString());
}

}  // namespace leasescope
