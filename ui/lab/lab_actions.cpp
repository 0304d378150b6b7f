#include "ui/lab/lab_actions.h"

#include <QActionGroup>
#include <QWidget>

#include "ui/lab/parts.h"
#include "ui/theme/icons.h"

namespace leasescope {
namespace {

struct Spec {
  LabAction which;
  const char* group;
  const char* text;
  const char* key;
  int icon = -1;
};

constexpr int at(Icon which) { return static_cast<int>(which); }

const Spec kSpecs[] = {
    {LabAction::kOpenFile, "File", "&Open scenario file…", "Ctrl+O", at(Icon::kOpen)},
    {LabAction::kCloseScenario, "File", "&Close scenario", "Ctrl+W"},
    {LabAction::kExportPng, "File", "Export chart as &PNG…", "Ctrl+E"},
    {LabAction::kExportSvg, "File", "Export chart as &SVG…", "Ctrl+Shift+E"},
    {LabAction::kQuit, "File", "&Quit", "Ctrl+Q"},
    {LabAction::kUndo, "Edit", "&Undo", "Ctrl+Z"},
    {LabAction::kRedo, "Edit", "&Redo", "Ctrl+Shift+Z"},
    {LabAction::kResetValues, "Edit", "Values as in the &file", "Ctrl+Backspace"},
    {LabAction::kZoomIn, "View", "Zoom &in", "W"},
    {LabAction::kZoomOut, "View", "Zoom &out", "S"},
    {LabAction::kFitSelection, "View", "&Fit selection", "F"},
    {LabAction::kFitAll, "View", "Fit &all", "Shift+F", at(Icon::kFit)},
    {LabAction::kUndoZoom, "View", "&Undo zoom", "Backspace", at(Icon::kUndo)},
    {LabAction::kBusiestFirst, "View", "&Busiest rows first", "O"},
    {LabAction::kAllRows, "View", "Idle &rows too", "U"},
    {LabAction::kFollow, "View", "Fo&llow the newest", "L", at(Icon::kFollow)},
    {LabAction::kLight, "View", "&Light", "Ctrl+Alt+L"},
    {LabAction::kDark, "View", "&Dark", "Ctrl+Alt+D"},
    {LabAction::kSystem, "View", "As the &system", "Ctrl+Alt+S"},
    {LabAction::kResetLayout, "View", "&Reset layout", "Ctrl+0"},
    {LabAction::kNextIncident, "Go", "&Next incident", "]"},
    {LabAction::kPreviousIncident, "Go", "&Previous incident", "["},
    {LabAction::kNextEvent, "Go", "Next &event", "."},
    {LabAction::kPreviousEvent, "Go", "Previous e&vent", ","},
    {LabAction::kSearch, "Go", "&Search scenarios", "/", at(Icon::kSearch)},
    {LabAction::kFilter, "Go", "Fil&ter the table", "Ctrl+F"},
    {LabAction::kRun, "Run", "&Run or pause", "Space", at(Icon::kRun)},
    {LabAction::kRestart, "Run", "Run &again from the start", "Ctrl+R", at(Icon::kFirst)},
    {LabAction::kStep, "Run", "&Step forward one input", "Ctrl+Right", at(Icon::kStep)},
    {LabAction::kStepBack, "Run", "Step &back one input", "Ctrl+Left", at(Icon::kStepBack)},
    {LabAction::kStepTen, "Run", "Ten steps forward", "Ctrl+Shift+Right"},
    {LabAction::kStepBackTen, "Run", "Ten steps back", "Ctrl+Shift+Left"},
    {LabAction::kFork, "Run", "&Fork here", "Ctrl+K", at(Icon::kFork)},
    {LabAction::kToEnd, "Run", "Run to the &end", "Ctrl+End", at(Icon::kLast)},
    {LabAction::kStop, "Run", "S&top here", "Ctrl+.", at(Icon::kStop)},
    {LabAction::kSpeed01, "Run", "Speed 0.1 ×", "1"},
    {LabAction::kSpeed1, "Run", "Speed 1 ×", "2"},
    {LabAction::kSpeed10, "Run", "Speed 10 ×", "3"},
    {LabAction::kSpeedMax, "Run", "As fast as it goes", "4"},
    {LabAction::kNewSeed, "Run", "&Another seed", "Ctrl+D", at(Icon::kDice)},
    {LabAction::kHelp, "Help", "&Help and legend", "F1"},
    {LabAction::kKeys, "Help", "&Keys", "?"},
    {LabAction::kAbout, "Help", "&About Leasescope", "Shift+F1"},
};

}  // namespace

LabActions::LabActions(QWidget* window) : QObject(window), actions_(static_cast<std::size_t>(LabAction::kCount)) {
  for (const Spec& spec : kSpecs) {
    auto* action = new QAction(QString::fromUtf8(spec.text), window);
    action->setShortcut(QKeySequence(QString::fromLatin1(spec.key)));
    if (spec.icon >= 0) action->setIcon(icon(static_cast<Icon>(spec.icon)));
    action->setIconVisibleInMenu(false);
    action->setToolTip(withKey(*action));
    // Also when the menu is not shown.
    window->addAction(action);
    actions_[static_cast<std::size_t>(spec.which)] = action;
  }
  for (const LabAction which :
       {LabAction::kBusiestFirst, LabAction::kAllRows, LabAction::kFollow, LabAction::kLight, LabAction::kDark,
        LabAction::kSystem, LabAction::kSpeed01, LabAction::kSpeed1, LabAction::kSpeed10, LabAction::kSpeedMax})
    actions_[static_cast<std::size_t>(which)]->setCheckable(true);
  // One of each.
  for (const auto& choices :
       {std::vector{LabAction::kLight, LabAction::kDark, LabAction::kSystem},
        std::vector{LabAction::kSpeed01, LabAction::kSpeed1, LabAction::kSpeed10, LabAction::kSpeedMax}}) {
    auto* group = new QActionGroup(this);
    for (const LabAction which : choices) group->addAction(actions_[static_cast<std::size_t>(which)]);
  }
}

std::vector<LabActions::Key> LabActions::keys() const {
  std::vector<Key> keys;
  for (const Spec& spec : kSpecs) {
    QString text = QString::fromUtf8(spec.text).remove(u'&');
    if (text.endsWith(u'…')) text.chop(1);
    keys.push_back({QString::fromLatin1(spec.group), QString::fromLatin1(spec.key), text});
  }
  keys.push_back({QStringLiteral("Run"), QStringLiteral("Esc"), tr("Cancel the start of a store")});
  keys.push_back({QStringLiteral("View"), QStringLiteral("Alt+1…6"), tr("Show or hide a panel")});
  // The chart hears these itself.
  keys.push_back({QStringLiteral("Chart"), QStringLiteral("A D"), tr("Pan left, right")});
  keys.push_back({QStringLiteral("Chart"), QStringLiteral("wheel"), tr("Zoom at the pointer")});
  keys.push_back({QStringLiteral("Chart"), QStringLiteral("drag"), tr("Pan")});
  return keys;
}

}  // namespace leasescope
