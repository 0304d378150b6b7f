#include "ui/window/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <map>
#include <utility>

#include "ui/look/fonts.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/theme/look.h"
#include "ui/theme/scale.h"
#include "ui/theme/style.h"
#include "ui/window/command_palette.h"
#include "ui/window/key_sheet.h"
#include "ui/window/perspectives.h"

namespace leasescope {
namespace {

// Of the View menu: where the docks are shown and hidden, and where the perspectives are.
constexpr int kSmallTabs = 900;  // below it the perspectives are named in smaller letters
constexpr int kPanelGroup = 5, kPerspectiveGroup = 6;
constexpr int kEntriesGroup = 9;  // of the menu Go

// Of the screen, without what its panels and the window's own frame take.
QSize roomOnScreen() {
  constexpr QSize kFrame(8, 40);
  const QScreen* screen = QGuiApplication::primaryScreen();
  return screen ? screen->availableSize() - kFrame : QSize(1440, 900);
}

QByteArray beginOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.read(64) : QByteArray();
}

}  // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) {
  setObjectName(QStringLiteral("leasescope"));
  setAcceptDrops(true);
  const QSize room = roomOnScreen();
  setMinimumSize(std::min(800, room.width()), std::min(500, room.height()));
  resize(1440, 900);  // restore() fits it to the screen; the perspectives are made for that size
  actions_ = new WindowActions(windowActionSpecs(), this);
  buildBars();
  perspectives_ = makePerspectives(*actions_, this);
  for (Perspective* each : perspectives_) {
    tabs_->addTab(each->name());
    pages_->addWidget(each);
    tools_->addWidget(each->tools());
    status_->addWidget(each->status());
    auto* turn = new QAction(tr("Perspective %1").arg(each->name()), this);
    turns_.push_back(turn);
    turn->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(turns_.size())));
    addAction(turn);  // its key is heard without the menu too
    connect(turn, &QAction::triggered, this, [this, each] { turnTo(*each); });
    connect(each, &Perspective::documentChanged, this, &MainWindow::loadTitle);
    connect(each, &Perspective::entriesChanged, this, [this, each] {
      if (each == &current()) buildMenus();
    });
    connect(each, &Perspective::showsItself, this, [this, each] { turnTo(*each); });
    connect(each, &Perspective::wrote, this, [this](const QString& path) { ownerOf(path).note(path); });
    connect(each, &Perspective::opensIn, this, [this](const QString& word, const QString& path) {
      turnTo(*perspective(word));
      current().open(path);
    });
    connect(each, &Perspective::opensTwoIn, this,
            [this](const QString& word, const QString& first, const QString& second, const Problem& why) {
              turnTo(*perspective(word));
              current().openTwo(first, second, why);
            });
  }
  actions_->tell(
      {ActionTable::tr("View"), QStringLiteral("Ctrl+1…%1").arg(perspectives_.size()), tr("Turn to a perspective")});
  palette_ = new CommandPalette(this);
  fitTabs();
  connect(tabs_, &QTabBar::currentChanged, this, &MainWindow::load);
  connectActions();
  qApp->installEventFilter(this);
  load();
}

MainWindow::~MainWindow() { qApp->removeEventFilter(this); }

void MainWindow::buildBars() {
  menuBar()->setFixedHeight(measures().menu_bar);
  auto* mark = new QLabel;
  mark->setPixmap(appIcon().pixmap(16, 16));
  mark->setFixedSize(34, measures().menu_bar);
  mark->setAlignment(Qt::AlignCenter);
  menuBar()->setCornerWidget(mark, Qt::TopLeftCorner);
  document_ = label({}, 12, 400, Ink::kMuted);
  document_->setParent(menuBar());
  document_->setAlignment(Qt::AlignCenter);
  document_->setAttribute(Qt::WA_TransparentForMouseEvents);

  auto* hint = new QWidget;
  auto* hintRow = new QHBoxLayout(hint);
  hintRow->setContentsMargins(0, 0, 12, 0);
  hintRow->setSpacing(6);
  hintRow->addWidget(toolButton(action(WindowAction::kPalette), hint));
  hintRow->addWidget(new KeyCap(action(WindowAction::kPalette)->shortcut().toString()));
  menuBar()->setCornerWidget(hint, Qt::TopRightCorner);

  tabs_ = new QTabBar;
  tabs_->setObjectName(QStringLiteral("perspectives"));
  tabs_->setProperty(kTall, true);
  tabs_->setFixedHeight(measures().tool_bar - 1);
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  tabs_->setUsesScrollButtons(false);
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setAccessibleName(tr("Perspectives"));
  tools_ = new QStackedWidget;
  auto* row = new QWidget;
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(8, 0, 0, 0);
  line->setSpacing(0);
  line->addWidget(tabs_);
  line->addSpacing(8);
  line->addWidget(verticalLine());
  line->addWidget(tools_, 1);
  auto* bar = new QToolBar(tr("Perspectives and tools"));
  bar->setObjectName(QStringLiteral("transport"));
  bar->setMovable(false);
  bar->setFixedHeight(measures().tool_bar);
  bar->addWidget(row);
  addToolBar(bar);
  setContextMenuPolicy(Qt::NoContextMenu);

  pages_ = new QStackedWidget;
  setCentralWidget(pages_);
  status_ = new QStackedWidget;
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setFixedHeight(measures().status_bar);
  statusBar()->addPermanentWidget(status_, 1);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  statusBar()->layout()->setContentsMargins(0, 0, 0, 0);
}

// ---- perspectives

Perspective& MainWindow::current() const { return *perspectives_[static_cast<std::size_t>(tabs_->currentIndex())]; }

Perspective* MainWindow::perspective(const QString& word) const {
  for (Perspective* each : perspectives_)
    if (each->word() == word) return each;
  return nullptr;
}

void MainWindow::turnTo(Perspective& perspective) {
  const auto at = std::find(perspectives_.begin(), perspectives_.end(), &perspective);
  tabs_->setCurrentIndex(static_cast<int>(at - perspectives_.begin()));
}

void MainWindow::load() {
  const int at = tabs_->currentIndex();
  pages_->setCurrentIndex(at);
  tools_->setCurrentIndex(at);
  status_->setCurrentIndex(at);
  if (presented_ != nullptr && presented_ != &current()) {
    std::exchange(presented_, &current())->present(false);
    presented_->present(true);
  }
  buildMenus();
  loadTitle();
}

void MainWindow::loadTitle() {
  const QString document = current().document();
  const bool modified = current().modified();
  setWindowTitle((document.isEmpty() ? tr("Leasescope") : document) + QStringLiteral("[*]"));
  setWindowModified(modified);
  document_->setText(modified ? u'*' + document : document);
  document_->adjustSize();
  placeDocument();
}

void MainWindow::placeDocument() {
  if (menuBar()->actions().isEmpty()) return;
  // Centred in the window; out of the way of the menus when it is narrow.
  const int menus = menuBar()->actionGeometry(menuBar()->actions().last()).right() + 16;
  document_->move(std::max(menus, (width() - document_->width()) / 2), (menuBar()->height() - document_->height()) / 2);
}

// ---- actions

std::vector<ActionTable*> MainWindow::actionTables() const {
  std::vector<ActionTable*> out = current().actionTables();
  out.insert(out.begin(), actions_);
  return out;
}

std::vector<KeyLine> MainWindow::keys() const {
  std::vector<KeyLine> out;
  for (const ActionTable* table : actionTables())
    for (KeyLine& line : table->keys()) out.push_back(std::move(line));
  return out;
}

// From the tables: within a menu by group, within a group as the tables have them.
void MainWindow::buildMenus() {
  menuBar()->clear();
  struct Menu {
    const char* name;
    QString title;
  };
  const Menu menus[] = {{"File", tr("&File")}, {"Edit", tr("&Edit")}, {"View", tr("&View")},
                        {"Go", tr("&Go")},     {"Run", tr("&Run")},   {"Help", tr("&Help")}};
  for (const Menu& each : menus) {
    std::map<int, std::vector<QAction*>> groups;
    for (const ActionTable* table : actionTables())
      for (const ActionSpec& spec : table->specs())
        if (QLatin1String(spec.menu) == QLatin1String(each.name))
          groups[spec.group].push_back(table->action(spec.which));
    const bool view = QLatin1String(each.name) == QLatin1String("View");
    if (const auto more = current().entries(); !more.empty() && QLatin1String(each.name) == QLatin1String("Go"))
      groups[kEntriesGroup] = more;
    if (view) {
      groups[kPanelGroup];
      groups[kPerspectiveGroup] = turns_;
    }
    if (groups.empty()) continue;
    QMenu* menu = menuBar()->addMenu(each.title);
    for (const auto& [group, actions] : groups) {
      if (!menu->isEmpty()) menu->addSeparator();
      if (view && group == kPanelGroup) addPanels(menu);
      for (QAction* action : actions) menu->addAction(action);
    }
  }
}

void MainWindow::addPanels(QMenu* view) {
  int key = 1;
  for (QDockWidget* dock : current().docks()) {
    QAction* toggle = dock->toggleViewAction();
    toggle->setText(tr("Panel %1").arg(dock->windowTitle()));
    toggle->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(key++)));
    view->addAction(toggle);
  }
}

// Whatever the menus have, by its name.
void MainWindow::showPalette() {
  std::vector<Command> all;
  for (const QAction* menu : menuBar()->actions())
    for (QAction* action : menu->menu()->actions())
      if (!action->isSeparator() && action != this->action(WindowAction::kPalette))
        all.push_back({plainText(*action), plainText(*menu), action});
  palette_->appear(std::move(all));
}

void MainWindow::connectActions() {
  const auto on = [this](WindowAction which, auto act) { connect(action(which), &QAction::triggered, this, act); };
  on(WindowAction::kOpenFile, [this] { openFile(); });
  on(WindowAction::kQuit, [this] { close(); });
  on(WindowAction::kLight, [] { Look::instance().choose(ThemeChoice::kLight); });
  on(WindowAction::kDark, [] { Look::instance().choose(ThemeChoice::kDark); });
  on(WindowAction::kSystem, [] { Look::instance().choose(ThemeChoice::kSystem); });
  const auto checkTheme = [this] {
    const ThemeChoice choice = Look::instance().choice();
    action(WindowAction::kLight)->setChecked(choice == ThemeChoice::kLight);
    action(WindowAction::kDark)->setChecked(choice == ThemeChoice::kDark);
    action(WindowAction::kSystem)->setChecked(choice == ThemeChoice::kSystem);
  };
  connect(&Look::instance(), &Look::changed, this, checkTheme);
  checkTheme();
  on(WindowAction::kLarger, [this] { scaleBy(1); });
  on(WindowAction::kSmaller, [this] { scaleBy(-1); });
  on(WindowAction::kResetLayout, [this] {
    present(false);
    current().layOut();
  });
  on(WindowAction::kPresent, [this] { present(action(WindowAction::kPresent)->isChecked()); });
  on(WindowAction::kKeys, [this] {
    if (keys_ != nullptr && keys_->isVisible()) return keys_->hide();
    delete keys_;
    keys_ = new KeySheet(keys(), this);
    keys_->appear();
  });
  on(WindowAction::kPalette, [this] { showPalette(); });
  on(WindowAction::kAbout, [this] { about(); });
}

void MainWindow::present(bool on) {
  action(WindowAction::kPresent)->setChecked(on);
  if (on == (presented_ != nullptr)) return;
  menuBar()->setVisible(!on);
  statusBar()->setVisible(!on);
  for (QToolBar* bar : findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly)) bar->setVisible(!on);
  if (on) {
    before_ = windowState();
    geometryBefore_ = saveGeometry();
    presented_ = &current();
    presented_->present(true);
    setWindowState(before_ | Qt::WindowFullScreen);
  } else {
    std::exchange(presented_, nullptr)->present(false);
    setWindowState(before_);
  }
  tellWayBack(on);
}

// Nothing else on the screen says it, so it is said for a moment.
void MainWindow::tellWayBack(bool on) {
  constexpr auto kLongEnough = std::chrono::seconds(4);
  delete std::exchange(wayBack_, nullptr);
  if (!on) return;
  wayBack_ = label(tr("F11 ends the presentation"), 13, 500);
  wayBack_->setParent(this);
  wayBack_->setAutoFillBackground(true);
  wayBack_->setMargin(10);
  wayBack_->adjustSize();
  wayBack_->show();
  placeWayBack();
  QTimer::singleShot(kLongEnough, wayBack_, &QWidget::hide);
}

void MainWindow::placeWayBack() {
  if (wayBack_ != nullptr) wayBack_->move((width() - wayBack_->width()) / 2, height() - wayBack_->height() - 24);
}

// The first takes what is no other's.
Perspective& MainWindow::ownerOf(const QString& path) const {
  const QByteArray begin = beginOf(path);
  return **std::find_if(perspectives_.rbegin(), perspectives_.rend(),
                        [&](const Perspective* each) { return each->takes(path, begin); });
}

void MainWindow::open(const QString& nameOrPath) {
  Perspective& whose = ownerOf(nameOrPath);
  turnTo(whose);
  whose.open(nameOrPath);
}

// Whatever can be opened is seen at first, and its path can be typed.
void MainWindow::openFile() {
  QStringList filters, patterns;
  for (const Perspective* each : perspectives_) filters << each->fileFilters();
  for (const QString& filter : filters) patterns << filter.section(u'(', -1).chopped(1);
  patterns.removeDuplicates();
  filters.prepend(tr("Scenarios and recordings (%1)").arg(patterns.join(u' ')));
  filters << tr("All files (*)");
  const QString path =
      QFileDialog::getOpenFileName(this, tr("Open a file"), QString(), filters.join(QStringLiteral(";;")));
  if (!path.isEmpty()) open(path);
}

void MainWindow::about() {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, tr("About Leasescope"),
      tr("<b>Leasescope</b> %1<br><br>It makes distributed mutexes visible: it runs the real contention protocols, in "
         "virtual time and against real stores, and draws who believed and who held.<br><br>Made with Qt %2.")
          .arg(QCoreApplication::applicationVersion().toHtmlEscaped(), QString::fromLatin1(qVersion())),
      QMessageBox::Close, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setModal(false);
  box->show();
}

// Qt takes it when it starts, not before.
void MainWindow::scaleBy(int steps) {
  const int before = rememberedScale(), now = scaleBeside(before, steps);
  rememberScale(now);
  delete scaled_;
  scaled_ = new QMessageBox(QMessageBox::NoIcon, tr("The size of everything"),
                            now == before
                                ? tr("%1 % is the last step.").arg(now)
                                : tr("Letters, rows and pictures are shown at %1 % from the next start on.").arg(now),
                            QMessageBox::Close, this);
  scaled_->setModal(false);
  scaled_->show();
}

// ---- how it was left

void MainWindow::remember() const {
  QSettings settings;
  settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
  settings.setValue(QStringLiteral("window/theme"), word(Look::instance().choice()));
  settings.setValue(QStringLiteral("window/perspective"), current().word());
  for (const Perspective* each : perspectives_) each->remember(settings);
}

void MainWindow::restore() {
  const QSettings settings;
  const bool known = restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
  if (!known) resize(QSize(1440, 900).boundedTo(roomOnScreen()));
  for (Perspective* each : perspectives_) each->restore(settings);
  Perspective* last = perspective(settings.value(QStringLiteral("window/perspective")).toString());
  if (last != nullptr) turnTo(*last);
}

QString MainWindow::rememberedTheme() {
  return QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  const bool presented = presented_ != nullptr;
  present(false);  // what is asked about may stand in a panel
  for (Perspective* each : perspectives_) {
    if (each->modified()) turnTo(*each);  // what is asked about is to be seen
    if (!each->mayClose()) return event->ignore();
  }
  remember();
  // The window manager may not have made it small again yet.
  if (presented) QSettings().setValue(QStringLiteral("window/geometry"), geometryBefore_);
  for (Perspective* each : perspectives_) each->letGo();
  event->accept();
}

// They have all of theirs, whatever room the tools want; in the narrowest windows in smaller letters, for the tools'
// sake.
void MainWindow::fitTabs() {
  tabs_->setFont(leasescope::font(Face::kText, width() < kSmallTabs ? measures().font_small : 13));
  tabs_->setFixedWidth(tabs_->sizeHint().width());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fitTabs();
  placeDocument();
  placeWayBack();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && presented_ != nullptr) return present(false);
  QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const auto urls = event->mimeData()->urls();
  if (!urls.isEmpty() && urls.front().isLocalFile()) open(urls.front().toLocalFile());
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  // Space runs and pauses, wherever the focus has fallen; only a switch is thrown by it. A button is pressed by Enter.
  auto* button = qobject_cast<QAbstractButton*>(watched);
  const QWidget* top = button ? button->window() : nullptr;
  // A dock that floats is a window of its own.
  const bool ours = top == this || (top && top->parentWidget() && top->parentWidget()->window() == this);
  if (button && ours) {
    const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    const int which = key ? static_cast<QKeyEvent*>(event)->key() : 0;
    const bool thrown = button->isCheckable() && !qobject_cast<QToolButton*>(button);
    if (event->type() == QEvent::ShortcutOverride && which == Qt::Key_Space && thrown) {
      event->accept();
      return true;
    }
    if (event->type() == QEvent::KeyPress && (which == Qt::Key_Return || which == Qt::Key_Enter) && !thrown) {
      button->click();
      return true;
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

}  // namespace leasescope
