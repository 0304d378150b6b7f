// The desktop program. `--screenshot` runs a scenario to its end, selects the worst incident, writes the window as a
// picture.
#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/base/build.h"
#include "core/base/escaped.h"
#include "core/store/password.h"
#include "core/store/types/types.h"
#include "ui/compare/compare_perspective.h"
#include "ui/compare/compared_side.h"
#include "ui/lab/lab_perspective.h"
#include "ui/models/english_plurals.h"
#include "ui/panels/results_panel.h"
#include "ui/panels/timeline_page.h"
#include "ui/recordings/recordings_perspective.h"
#include "ui/theme/look.h"
#include "ui/theme/scale.h"
#include "ui/watch/stores_panel.h"
#include "ui/watch/watch_perspective.h"
#include "ui/window/main_window.h"
#include "ui/window/told_to_end.h"

using leasescope::ComparePerspective;
using leasescope::LabPerspective;
using leasescope::Look;
using leasescope::MainWindow;
using leasescope::RecordingsPerspective;
using leasescope::SessionPerspective;
using leasescope::WatchPerspective;

namespace {

constexpr int kBadUsage = 2;
constexpr int kFailed = 1;
QtMessageHandler before = nullptr;

struct Arguments {
  QString scenario, other, store = QStringLiteral("model"), screenshot, theme;
  QStringList watched;  // addresses of stores
  QString history;      // the address of a team's database
  QSize size{1440, 900};
};

int complain(const QString& message) {
  std::fprintf(stderr, "leasescope: %s\n", leasescope::escaped_lines(message.toStdString()).c_str());
  return kBadUsage;
}

// "1440x900"; empty when it is not that.
QSize sizeOf(const QString& text) {
  const QStringList parts = text.split(u'x');
  bool wide = false, high = false;
  if (parts.size() != 2) return {};
  const QSize size(parts[0].toInt(&wide), parts[1].toInt(&high));
  return wide && high && size.width() >= 800 && size.height() >= 500 && size.width() <= 7680 && size.height() <= 4320
             ? size
             : QSize();
}

// Of a team's database; the code to leave with, or -1 to go on.
int readHistory(const QString& database, bool alone, Arguments& out) {
  out.history = database;
  if (!alone) return complain(QStringLiteral("--history is opened alone: without a scenario, a recording or a store"));
  const auto place = leasescope::HistoryPlace::team(database);
  return place ? -1 : complain(QStringLiteral("--history: ") + place.error());
}

// 0, or the code to leave with; -1 to go on.
int read(const QStringList& words, Arguments& out) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Makes distributed mutexes visible: the Lab."));
  parser.addPositionalArgument(
      QStringLiteral("scenario"),
      QStringLiteral("A built-in name (gc-pause), a TOML file or a recording; two recordings are compared. Or stores "
                     "that are in use, to be watched: %1.")
          .arg(QString::fromStdString(leasescope::watched_schemes())),
      QStringLiteral("[SCENARIO | RECORDING [RECORDING] | STORE…]"));
  const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Shows this."));
  const QCommandLineOption store(
      QStringLiteral("store"),
      QStringLiteral("model, %1 or a URL.").arg(QString::fromStdString(leasescope::store_words())),
      QStringLiteral("STORE"), out.store);
  const QCommandLineOption history(
      QStringLiteral("history"),
      QStringLiteral("A team's database, postgresql://host/database: what was recorded there is opened."),
      QStringLiteral("DATABASE"));
  const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light, dark or system."),
                                 QStringLiteral("THEME"));
  const QCommandLineOption picture(QStringLiteral("screenshot"),
                                   QStringLiteral("Runs to the end, writes the window's picture, leaves."),
                                   QStringLiteral("FILE.png"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Of the window, e.g. 1440x900."),
                                QStringLiteral("WxH"));
  const QCommandLineOption scale(QStringLiteral("scale"),
                                 QStringLiteral("How large everything is, %1 to %2 percent.")
                                     .arg(leasescope::kScales.front())
                                     .arg(leasescope::kScales.back()),
                                 QStringLiteral("PERCENT"));
  const QCommandLineOption version(QStringLiteral("version"), QStringLiteral("Says which program this is."));
  parser.addOptions({help, version, store, history, theme, picture, size, scale});
  if (!parser.parse(words)) return complain(parser.errorText());
  if (parser.isSet(help)) {
    // Qt knows the program's name only once there is an application.
    std::fputs(qPrintable(parser.helpText().replace(QStringLiteral("<executable_name>"), QStringLiteral("leasescope"))),
               stdout);
    return 0;
  }
  if (parser.isSet(version)) {
    std::printf("leasescope %s\n", leasescope::build_text().c_str());
    return 0;
  }
  const QStringList named = parser.positionalArguments();
  const auto isAddress = [](const QString& word) {
    const auto url = leasescope::parse_store_url(word.toStdString());
    return url ? url->given : word.contains(QStringLiteral("://"));
  };
  const bool watches = !named.isEmpty() && std::all_of(named.begin(), named.end(), isAddress);
  if (watches) {
    out.watched = named;
    for (const QString& address : named)
      if (const auto url = leasescope::parse_store_url(address.toStdString()); !url)
        return complain(QString::fromStdString(url.error()));
  } else if (named.size() > 2 || std::any_of(named.begin(), named.end(), isAddress)) {
    return complain(QStringLiteral("expected one scenario, two recordings to compare, or addresses of stores alone"));
  } else {
    out.scenario = named.value(0);
    out.other = named.value(1);
  }
  if (parser.isSet(history))
    if (const int code = readHistory(parser.value(history), named.isEmpty(), out); code >= 0) return code;
  out.store = parser.value(store);
  out.theme = parser.value(theme);
  out.screenshot = parser.value(picture);
  const QStringList themes{QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")};
  if (parser.isSet(theme) && !themes.contains(out.theme))
    return complain(QStringLiteral("--theme %1: expected light, dark or system").arg(out.theme));
  if (parser.isSet(picture) && !out.screenshot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
    return complain(QStringLiteral("--screenshot %1: expected a file ending in .png").arg(out.screenshot));
  if (parser.isSet(scale) && leasescope::scaleOf(parser.value(scale)) == 0)
    return complain(QStringLiteral("--scale %1: expected a percentage from %2 to %3, such as 150")
                        .arg(parser.value(scale))
                        .arg(leasescope::kScales.front())
                        .arg(leasescope::kScales.back()));
  if (parser.isSet(size)) out.size = sizeOf(parser.value(size));
  if (out.size.isEmpty())
    return complain(
        QStringLiteral("--size %1: expected width x height from 800x500 on, such as 1440x900").arg(parser.value(size)));
  for (const QString& each : {out.scenario, out.other}) {
    if (each.isEmpty()) continue;
    if (const auto source = leasescope::findSource(each.toStdString()); !source)
      return complain(QStringLiteral("%1: %2").arg(each, QString::fromStdString(source.error().message)));
  }
  return -1;
}

// When the zoom stands.
void takePicture(MainWindow& window, const QString& path) {
  QTimer::singleShot(400, &window, [&window, path] {
    const bool written = window.grab().save(path);
    if (!written) std::fprintf(stderr, "leasescope: %s cannot be written\n", qPrintable(path));
    QCoreApplication::exit(written ? 0 : kFailed);
  });
}

// Of the worst incident of what is shown.
void photographWorst(MainWindow& window, SessionPerspective& shown, const QString& path) {
  const int worst = shown.results()->incidents()->worst();
  if (worst >= 0) {
    shown.session().selectIncident(worst);
    shown.view()->showIncident(worst);
  }
  takePicture(window, path);
}

void photograph(MainWindow& window, const QString& path) {
  using leasescope::Session;
  std::vector<Session*> sessions;
  for (auto* shown : window.findChildren<SessionPerspective*>()) {
    sessions.push_back(&shown->session());
    QObject::connect(sessions.back(), &Session::finished, &window, [&window, shown, path] {
      QTimer::singleShot(100, &window, [&window, shown, path] { photographWorst(window, *shown, path); });
    });
  }
  auto* compare = window.findChild<ComparePerspective*>();
  QObject::connect(compare, &ComparePerspective::compared, &window, [&window, compare, path] {
    compare->action(leasescope::CompareAction::kNextDifference)->trigger();
    takePicture(window, path);
  });
  for (const int side : {0, 1}) sessions.push_back(&compare->side(side).session());
  for (Session* session : sessions)
    QObject::connect(session, &Session::problem, &window, [](const leasescope::Problem& problem) {
      if (problem.empty()) return;
      complain(problem.title + QStringLiteral(": ") + problem.message);
      QCoreApplication::exit(kBadUsage);
    });
}

// Once every store has been looked at, or did not answer.
void photographWatch(MainWindow& window, const WatchPerspective& shown, const QString& path) {
  constexpr int kLookMs = 2'500;
  QTimer::singleShot(kLookMs, &window, [&window, &shown, path] {
    for (const auto& store : shown.watched().watch()->stores())
      if (store->blind) complain(QString::fromStdString(store->name + ": " + store->why));
    takePicture(window, path);
  });
}

// Qt ends the program with a core dump when there is no display; a message and a code say more.
void onFatal(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type != QtFatalMsg) {
    if (before) before(type, context, message);
    return;
  }
  std::fprintf(stderr,
               "leasescope: no display can be used: %s\nleasescope: set DISPLAY or WAYLAND_DISPLAY to one, or "
               "use leasescopectl, which needs none\n",
               qPrintable(message.section(u'\n', 0, 0)));
  std::fflush(nullptr);
  std::_Exit(kBadUsage);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a server that goes is an error where it is noticed
  Arguments arguments;
  QStringList words;
  for (int i = 0; i < argc; ++i) words << QString::fromLocal8Bit(argv[i]);
  // These need no display. The rest is read when Qt has taken out what is meant for it.
  const bool helps = words.contains(QStringLiteral("--help")) || words.contains(QStringLiteral("-h")) ||
                     words.contains(QStringLiteral("--version"));
  if (helps) return std::max(0, read(words, arguments));
  QCoreApplication::setOrganizationName(QStringLiteral("Leasescope"));
  QCoreApplication::setApplicationName(QStringLiteral("leasescope"));
  leasescope::startScaled(words);
  before = qInstallMessageHandler(onFatal);
  QApplication app(argc, argv);
  qInstallMessageHandler(before);
  QCoreApplication::setApplicationVersion(QString::fromStdString(leasescope::build_text()));
  QGuiApplication::setApplicationDisplayName(QStringLiteral("Leasescope"));
  leasescope::EnglishPlurals plurals;
  QCoreApplication::installTranslator(&plurals);
  if (const int code = read(QCoreApplication::arguments(), arguments); code >= 0) return code;
  leasescope::hide_passwords(argc, argv);
  const bool picture = !arguments.screenshot.isEmpty();
  const QString remembered = picture ? QStringLiteral("light") : MainWindow::rememberedTheme();
  Look::instance().dress();
  Look::instance().choose(leasescope::themeChoice(arguments.theme.isEmpty() ? remembered : arguments.theme,
                                                  leasescope::ThemeChoice::kSystem));

  MainWindow window;
  QGuiApplication::setWindowIcon(leasescope::appIcon());
  if (picture)
    window.resize(arguments.size);
  else
    window.restore();
  const leasescope::ToldToEnd ending;
  QObject::connect(&ending, &leasescope::ToldToEnd::told, &window, &MainWindow::close);  // it asks what it would ask
  window.show();
  leasescope::LabController& lab = window.findChild<LabPerspective*>()->lab();
  if (const auto chosen = lab.setStore(arguments.store.toStdString()); !chosen)
    return complain(QStringLiteral("--store: %1").arg(chosen.error()));
  if (picture && arguments.watched.isEmpty()) photograph(window, arguments.screenshot);
  const QString scenario = !arguments.scenario.isEmpty() ? arguments.scenario
                           : picture                     ? QStringLiteral("gc-pause")
                                                         : LabPerspective::lastScenario();
  // After the first frame: the window stands before anything runs in it.
  QTimer::singleShot(0, &window, [&window, &lab, scenario, other = arguments.other, picture, arguments] {
    if (!arguments.watched.isEmpty()) {
      auto* watch = window.findChild<WatchPerspective*>();
      window.turnTo(*watch);
      bool all = true;
      for (const QString& each : arguments.watched) {
        if (watch->stores()->add(each)) continue;
        complain(watch->stores()->error());
        all = false;
      }
      if (picture && !all) return QCoreApplication::exit(kBadUsage);
      if (picture) photographWatch(window, *watch, arguments.screenshot);
      return;
    }
    if (!arguments.history.isEmpty()) {
      auto* recordings = window.findChild<RecordingsPerspective*>();
      window.turnTo(*recordings);
      return recordings->openTeam(arguments.history);
    }
    if (!other.isEmpty()) {
      auto* compare = window.findChild<ComparePerspective*>();
      window.turnTo(*compare);
      for (const QString& recording : {scenario, other}) compare->open(recording);
      return;
    }
    if (!scenario.isEmpty()) window.open(scenario);
    if (picture && lab.values().live()) lab.runOrPause();
  });
  return QApplication::exec();
}
