#include "ui/models/incident_note.h"

#include <QCoreApplication>

#include "ui/models/markdown.h"
#include "ui/models/story.h"
#include "ui/models/words.h"

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(IncidentNote)
};

QString whenOf(const CountedTime& time, const Incident& incident) {
  if (incident.start == incident.end) return Say::tr("at %1").arg(time.text(incident.start));
  return time.rangeText(incident.start, incident.end);
}

// "A is c1, B is c2."
QString whoIsWho(const Session& session, const Incident& incident) {
  const History& history = *session.history();
  QStringList out;
  for (const Name who : incident.contenders) {
    const int place = session.cast().indexOf(history, who);
    const QString words =
        Say::tr("%1 is %2").arg(Cast::letter(std::max(0, place)), markdownText(fromText(history.names.text(who))));
    if (place >= 0 && !out.contains(words)) out << words;
  }
  return out.isEmpty() ? QString() : out.join(QStringLiteral(", ")) + QStringLiteral(".\n\n");
}

}  // namespace

QString markdownOf(const Session& session, int index, const Prevention* prevention) {
  const History& history = *session.history();
  const Incident& incident = history.incidents[static_cast<std::size_t>(index)];
  const Scenario& scenario = *session.runScenario();
  QString out = QStringLiteral("### %1, %2\n\n").arg(fromText(title(incident.kind)), whenOf(session.time(), incident));
  out += Say::tr("%1, %2, seed %3")
             .arg(markdownText(fromText(scenario.name)), markdownText(session.whereText()),
                  QString::number(scenario.seed)) +
         QStringLiteral("\n\n");
  out += markdownOfBold(accountOf(history, session.cast(), incident)) + QStringLiteral("\n\n");
  out += whoIsWho(session, incident);
  out += QStringLiteral("| %1 | %2 |\n|--:|---|\n").arg(session.time().unit(), Say::tr("how it came about"));
  for (const StoryLine& line : storyOf(history, session.cast(), incident)) {
    const QString row = line.key ? QStringLiteral("| **%1** | %2 |\n") : QStringLiteral("| %1 | %2 |\n");
    out += row.arg(session.time().figure(line.at), markdownText(line.text));
  }
  out += QStringLiteral("\n%1\n").arg(markdownText(marginOf(history, incident)));
  if (prevention != nullptr && !prevention->remedies.empty()) {
    out += u'\n' + Say::tr("Each of these alone would have prevented it:") + QStringLiteral("\n\n");
    for (const Remedy& each : prevention->remedies)
      out += QStringLiteral("- %1\n").arg(markdownText(fromText(text(scenario, each))));
  }
  return out;
}

}  // namespace leasescope
