#include "ui/watch/mute_menu.h"

#include <QInputDialog>

#include "ui/watch/watch_session.h"

namespace leasescope {

MuteMenu::MuteMenu(const WatchSession& session, QWidget* parent) : QMenu(parent), session_(session) {
  ask_ = [this](const QString& question) -> std::optional<QString> {
    bool done = false;
    const QString text = QInputDialog::getText(parentWidget(), tr("Mute an alert"), question, {}, {}, &done);
    return done ? std::optional(text) : std::nullopt;
  };
  add(tr("For 15 min"), QStringLiteral("15m"));
  add(tr("For 1 h"), QStringLiteral("1h"));
  add(tr("Until tomorrow"), QStringLiteral("00:00"));
  connect(addAction(tr("Until…")), &QAction::triggered, this, &MuteMenu::askForEnd);
}

void MuteMenu::add(const QString& title, const QString& end) {
  connect(addAction(title), &QAction::triggered, this, [this, end] {
    if (const auto until = session_.muteEnd(end)) emit chosen(*until);
  });
}

// Again and again, with what was wrong before it, until it is right or given up.
void MuteMenu::askForEnd() {
  const QString question = tr("For how long, such as 90m, or until when, such as 18:30 or 2026-12-01 08:00?");
  QString wrong;
  while (const auto text = ask_(wrong + question)) {
    const auto until = session_.muteEnd(*text);
    if (until) return emit chosen(*until);
    wrong = until.error() + QStringLiteral("\n\n");
  }
}

}  // namespace leasescope
