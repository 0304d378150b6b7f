// The Lab, continued: scenarios as files, and the text of the one that is open.
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <algorithm>

#include "ui/lab/lab_perspective.h"
#include "ui/lab/scenario_forms.h"
#include "ui/lab/scenario_panel.h"
#include "ui/lab/text_panel.h"
#include "ui/lab/values_panel.h"
#include "ui/models/words.h"
#include "ui/panels/timeline_page.h"
#include "ui/timeline/timeline_view.h"

namespace leasescope {
namespace {

constexpr int kMostRecent = 10;
constexpr qsizetype kMostLeft = 8;
const QString kRecent = QStringLiteral("lab/recent");
const QString kLeft = QStringLiteral("lab/left");  // names and texts by turns

}  // namespace

void LabPerspective::connectFiles() {
  const auto on = [this](LabAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(LabAction::kNewScenario, [this] { newScenario(); });
  on(LabAction::kRecentScenario, [this] { showRecent(); });
  on(LabAction::kCloseScenario, [this] {
    if (!mayLeave()) return;
    lab_.closeScenario();
    scenarios_->setCurrent({});
  });
  on(LabAction::kSaveScenario, [this] { save(); });
  on(LabAction::kSaveScenarioAs, [this] { saveAs(); });
}

void LabPerspective::connectText() {
  const auto on = [this](LabAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(LabAction::kText, [this] { showText(); });
  on(LabAction::kGoToError, [this] {
    textDock_->show();
    text_->editor()->goToError();
  });
  on(LabAction::kAddFault, [this] { values_->addFault(); });
  on(LabAction::kCopyToml, [this] { copy(lab_.document().text().toStdString(), tr("as TOML")); });
  on(LabAction::kCopyCommand, [this] { copy(commandLine(lab_.document()), tr("as a command line")); });
  on(LabAction::kCopySpring, [this] { copy(springProperties(lab_.scenario()), tr("as Simba's Spring properties")); });
  connect(text_->editor(), &TomlEditor::left, view()->timeline(), [this] { view()->timeline()->setFocus(); });
  connect(&lab_.document(), &ScenarioDocument::textChanged, this, [this] {
    emit documentChanged();
    loadActions();
  });
}

// A second time it goes again.
void LabPerspective::showText() {
  if (textDock_->isVisible() && text_->editor()->hasFocus()) {
    textDock_->hide();
    return view()->timeline()->setFocus();
  }
  const bool appears = !textDock_->isVisible();
  textDock_->show();
  textDock_->raise();
  if (appears && !textDock_->isFloating()) {
    const int room = resultsDock()->width() + textDock_->width();
    resizeDocks({resultsDock(), textDock_}, {room - room / 2, room / 2}, Qt::Horizontal);
    resizeDocks({textDock_}, {std::max(textDock_->height(), height() * 2 / 5)}, Qt::Vertical);
  }
  text_->editor()->setFocus();
}

void LabPerspective::copy(const tl::expected<std::string, std::string>& text, const QString& what) {
  if (!text) return emit lab_.told(tr("Not copied %1: %2").arg(what, fromText(text.error())));
  QGuiApplication::clipboard()->setText(fromText(*text));
  emit lab_.told(tr("The scenario was copied %1").arg(what));
}

// ---- files

LabPerspective::Leave LabPerspective::ask(const QString& name) {
  if (ask_) return ask_(name);
  QMessageBox box(QMessageBox::NoIcon, tr("Unsaved changes"), tr("Save the changes to %1?").arg(name),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setInformativeText(tr("Else they are lost."));
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Save ? Leave::kSave : answer == QMessageBox::Discard ? Leave::kDiscard : Leave::kCancel;
}

bool LabPerspective::mayLeave() {
  text_->flush();
  if (!modified()) return true;
  const LabSource& source = lab_.source();
  if (source.builtIn) {
    noteLeft();
    emit lab_.told(tr("%1 was left with its changes: Recent scenarios has them").arg(fromText(source.name)));
    return true;
  }
  switch (ask(fromText(source.name).section(u'/', -1))) {
    case Leave::kSave:
      return save();
    case Leave::kDiscard:
      return true;
    case Leave::kCancel:
      return false;
  }
  return false;
}

bool LabPerspective::save() {
  text_->flush();
  return lab_.source().isFile() ? saveTo(fromText(lab_.source().name)) : saveAs();
}

bool LabPerspective::saveAs() {
  if (!lab_.hasScenario()) return false;
  text_->flush();
  const QString name = fromText(lab_.source().name);
  const QString proposed = lab_.source().isFile() ? name : name + QStringLiteral(".toml");
  const QString path =
      choosePath_ ? choosePath_(proposed)
                  : QFileDialog::getSaveFileName(this, tr("Save the scenario"), proposed, tr("Scenarios (*.toml)"));
  return !path.isEmpty() && saveTo(path);
}

bool LabPerspective::saveTo(const QString& path) {
  if (const auto done = lab_.document().save(path); !done) {
    Problem p;
    p.title = tr("%1 was not written").arg(QFileInfo(path).fileName());
    p.message = done.error();
    p.remains = tr("What lay there lies there as it was.");
    emit lab_.problem(p);
    return false;
  }
  emit lab_.problem({});
  list_->addFile(path, lab_.scenario());
  scenarios_->setCurrent(path);
  noteRecent(path);
  emit lab_.told(lab_.document().error() ? tr("Saved, with an error in line %1").arg(lab_.document().error()->line)
                                         : tr("Saved to %1").arg(QFileInfo(path).fileName()));
  return true;
}

void LabPerspective::newScenario() {
  if (!mayLeave()) return;
  lab_.openNew();
  scenarios_->setCurrent({});
  if (!lab_.values().live()) lab_.runOrPause();
}

QStringList LabPerspective::recentScenarios() { return QSettings().value(kRecent).toStringList(); }

void LabPerspective::noteRecent(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList recent = recentScenarios();
  recent.removeAll(whole);
  recent.prepend(whole);
  QSettings().setValue(kRecent, QStringList(recent.mid(0, kMostRecent)));
}

// A built-in scenario that was tried out is left without a question, also at the window's end; this is the way back.
void LabPerspective::noteLeft() {
  const QString name = fromText(lab_.source().name);
  QStringList left = QSettings().value(kLeft).toStringList(), kept{name, QString::fromUtf8(lab_.document().text())};
  for (qsizetype i = 0; i + 1 < left.size() && kept.size() < 2 * kMostLeft; i += 2)
    if (left[i] != name) kept << left[i] << left[i + 1];
  QSettings().setValue(kLeft, kept);
}

// What was left with changes first, then files.
void LabPerspective::showRecent() {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("recentScenarios"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QStringList left = QSettings().value(kLeft).toStringList();
  for (qsizetype i = 0; i + 1 < left.size(); i += 2)
    connect(menu->addAction(tr("%1, as it was left").arg(left[i])), &QAction::triggered, this,
            [this, name = left[i], text = left[i + 1]] {
              if (!mayLeave()) return;
              openSource(name);
              lab_.document().type(text.toUtf8());
            });
  if (!menu->isEmpty()) menu->addSeparator();
  for (const QString& path : recentScenarios()) {
    QAction* entry = menu->addAction(QFileInfo(path).fileName());
    entry->setToolTip(path);
    entry->setEnabled(QFileInfo::exists(path));
    connect(entry, &QAction::triggered, this, [this, path] { open(path); });
  }
  if (menu->isEmpty()) menu->addAction(tr("No scenario was opened from a file yet"))->setEnabled(false);
  menu->setToolTipsVisible(true);
  menu->popup(view()->mapToGlobal(QPoint(8, 8)));
}

}  // namespace leasescope
