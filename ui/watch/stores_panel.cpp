#include "ui/watch/stores_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QStringListModel>
#include <QVBoxLayout>
#include <utility>

#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/panels/search_list.h"
#include "ui/theme/style.h"
#include "ui/watch/connection_dialog.h"
#include "ui/watch/watched_stores_model.h"

namespace leasescope {
namespace {

constexpr int kMostKnown = 20;

class StoreDelegate : public TwoLineDelegate {
 public:
  explicit StoreDelegate(QObject* parent) : TwoLineDelegate(WatchedStoresModel::kAboutRole, 0, parent) {}

 protected:
  bool faint(const QModelIndex& index) const override { return index.data(WatchedStoresModel::kBlindRole).toBool(); }
};

QString exampleOfAddress() {
  for (const StoreType* type : store_types())
    if (type->observe != nullptr) return fromText(type->forms.front());
  return {};
}

}  // namespace

QWidget* StoresPanel::makeForm() {
  auto* form = new Pane(Ground::kPanel);
  form->setEdges(Qt::BottomEdge);
  auto* rows = new QVBoxLayout(form);
  rows->setContentsMargins(10, 8, 10, 9);
  rows->setSpacing(6);
  url_ = new QLineEdit;
  url_->setObjectName(QStringLiteral("storeUrl"));
  url_->setPlaceholderText(exampleOfAddress());
  url_->setAccessibleName(tr("Address of a store"));
  url_->setToolTip(fromText(watched_schemes()));
  auto* completer = new QCompleter(url_);
  completer->setModel(new QStringListModel(completer));
  completer->setFilterMode(Qt::MatchContains);
  url_->setCompleter(completer);
  password_ = new QLineEdit;
  password_->setEchoMode(QLineEdit::Password);
  password_->setPlaceholderText(tr("Password, if it has one"));
  password_->setAccessibleName(tr("Password"));
  password_->setToolTip(
      tr("Kept while the store is watched, and in no file. It may also stand in %1.").arg(fromText(store_passwords())));
  button_ = new QPushButton(tr("Watch"));
  button_->setObjectName(QStringLiteral("watchStore"));
  likely_ = new QCheckBox(tr("Also what only looks like a lock"));
  likely_->setObjectName(QStringLiteral("likelyLocks"));
  likely_->setToolTip(
      tr("Locks whose form is their maker's alone are always shown: Redisson, Curator, kazoo, etcd, PostgreSQL, MySQL. "
         "Those of redis-py, redsync, node-redlock and ShedLock may be something else."));
  keep_ = new QCheckBox(tr("Remember it in the keyring"));
  keep_->setObjectName(QStringLiteral("keepPassword"));
  keep_->setToolTip(tr("The password is kept in the keyring of the system, and asked from it the next time"));
  error_ = label({}, 12, 400, Ink::kText);
  note_ = label({}, 12, 400, Ink::kMuted);
  rows->addWidget(url_);
  formButton_ = new QPushButton(tr("Form and test…"));
  formButton_->setObjectName(QStringLiteral("storeForm"));
  formButton_->setToolTip(tr("Host, port, login and TLS in fields of their own, and a test of them"));
  rows->addWidget(password_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(formButton_, 1);
  buttons->addWidget(button_);
  rows->addLayout(buttons);
  rows->addWidget(keep_);
  rows->addWidget(likely_);
  for (QLabel* line : {error_, note_}) {
    line->setWordWrap(true);
    line->setVisible(false);
    rows->addWidget(line);
  }
  return form;
}

StoresPanel::StoresPanel(WatchSession& session, QWidget* parent) : Pane(Ground::kPanel, parent), session_(session) {
  kept_ = new KeptPasswords(QStringLiteral("watch/kept"), this);
  QWidget* form = makeForm();
  makeList();
  makeDialog();
  hint_ = label(tr("What is looked at is never written to: rights to read are enough."), 11, 400, Ink::kMuted);
  hint_->setWordWrap(true);
  hint_->setContentsMargins(12, 8, 12, 8);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(form);
  column->addWidget(list_, 1);
  column->addWidget(hint_);

  connect(button_, &QPushButton::clicked, this, &StoresPanel::submit);
  connect(url_, &QLineEdit::returnPressed, this, &StoresPanel::submit);
  connect(password_, &QLineEdit::returnPressed, this, &StoresPanel::submit);
  connect(url_, &QLineEdit::textEdited, this, [this] {
    setInvalid(url_, false);
    error_->setVisible(false);
    say({});
  });
  connect(url_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (kept_->has(text)) keep_->setChecked(true);
  });
  connect(kept_, &KeptPasswords::said, this, &StoresPanel::say);
  connect(&session_, &WatchSession::storesChanged, this, &StoresPanel::keepProven);
  connect(&session_, &WatchSession::lookedAt, this, &StoresPanel::keepProven);
  connect(formButton_, &QPushButton::clicked, this, &StoresPanel::openForm);
}

void StoresPanel::makeList() {
  model_ = new WatchedStoresModel(session_, this);
  list_ = new QListView;
  list_->setObjectName(QStringLiteral("watchedStores"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setModel(model_);
  list_->setItemDelegate(new StoreDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->viewport()->setBackgroundRole(QPalette::Button);
  list_->setAccessibleName(tr("Watched stores"));
  list_->setAccessibleDescription(tr("Enter changes the store, Delete watches it no more"));
  const auto offer = [this](const QString& what, const QList<QKeySequence>& keys, auto act) {
    auto* action = new QAction(what, list_);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    list_->addAction(action);
    connect(action, &QAction::triggered, this, act);
  };
  offer(tr("Change it…"), {Qt::Key_Return, Qt::Key_Enter}, [this] { changeCurrent(); });
  offer(tr("Watch it no more"), {QKeySequence::Delete}, [this] {
    const QModelIndex at = list_->currentIndex();
    if (!at.isValid()) return;
    const QString name = at.data().toString();
    session_.remove(at.data(WatchedStoresModel::kPlaceRole).toULongLong());
    emit session_.told(tr("%1 is watched no more; Undo watches it again").arg(name));
  });
  list_->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(list_, &QListView::doubleClicked, this, &StoresPanel::changeCurrent);
}

void StoresPanel::makeDialog() {
  dialog_ = new ConnectionDialog(session_, *kept_, this);
  dialog_->submitWith([this](const ConnectionDialog::Wanted& wanted) {
    url_->setText(wanted.address);
    password_->setText(wanted.password);
    keep_->setChecked(wanted.keep);
    likely_->setChecked(wanted.likely);
    instead_ = wanted.instead;
    submit();
    const QString why = error();
    if (!why.isEmpty()) clearField();  // the dialog says it, and goes on
    return why;
  });
}

void StoresPanel::clearField() {
  url_->clear();
  password_->clear();
  keep_->setChecked(false);
  setInvalid(url_, false);
  error_->setVisible(false);
}

void StoresPanel::openForm() {
  dialog_->ask({url_->text().trimmed(), password_->text(), keep_->isChecked(), likely_->isChecked(), {}});
}

void StoresPanel::changeCurrent() {
  const QModelIndex at = list_->currentIndex();
  if (at.isValid()) dialog_->change(at.data(WatchedStoresModel::kPlaceRole).toULongLong());
}

void StoresPanel::focusField() {
  url_->setFocus(Qt::ShortcutFocusReason);
  url_->selectAll();
}

QString StoresPanel::error() const { return error_->isHidden() ? QString() : error_->text(); }

bool StoresPanel::add(const QString& text, const QString& password) {
  url_->setText(text);
  password_->setText(password);
  submit();
  return error().isEmpty();
}

void StoresPanel::submit() {
  const Foreign foreign = likely_->isChecked() ? Foreign::kLikely : Foreign::kCertain;
  const QString typed = url_->text().trimmed(), password = password_->text();
  const QString given = password.isEmpty() ? KeptPasswords::passwordIn(typed) : password;
  const bool keeps = keep_->isChecked();
  const auto instead = std::exchange(instead_, std::nullopt);
  awaited_.removeAll(typed);
  say({});
  if (given.isEmpty() && keeps && kept_->has(typed)) return ask(typed, foreign, instead);
  const auto place = watch(typed, password, foreign, instead);
  if (!place) return;
  if (keeps && !given.isEmpty())
    unproven_[*place] = {typed, given};
  else
    kept_->settle(typed, given, keeps);
}

void StoresPanel::keepProven() {
  for (auto each = unproven_.begin(); each != unproven_.end();) {
    const auto& [place, typed] = *each;
    const bool watched = session_.watches(place);
    if (watched && session_.watch()->stores()[place]->blind) {
      ++each;
      continue;
    }
    if (watched) kept_->keep(typed);
    each = unproven_.erase(each);
  }
}

// Others can be added meanwhile; and so can this one, with its password.
void StoresPanel::ask(const QString& typed, Foreign foreign, std::optional<std::size_t> instead) {
  setInvalid(url_, false);
  error_->setVisible(false);
  say(tr("The system's keyring is asked for the password…"));
  awaited_ << typed;
  const QString was = instead ? session_.addressOf(*instead) : QString();
  kept_->find(typed, [this, typed, foreign, instead, was](const QString& password, const QString& why) {
    if (awaited_.removeAll(typed) == 0) return;
    say({});
    // Meanwhile the watch may have ended, and another store stand in its place.
    if (instead && (!session_.watches(*instead) || session_.addressOf(*instead) != was)) return;
    if (why.isEmpty()) return static_cast<void>(watch(typed, password, foreign, instead));
    url_->setText(typed);
    refuse(why, password_);
  });
}

std::optional<std::size_t> StoresPanel::watch(const QString& typed, const QString& password, Foreign foreign,
                                              std::optional<std::size_t> instead) {
  const auto added =
      instead ? session_.replace(*instead, typed, password, foreign) : session_.add(typed, password, foreign);
  password_->clear();
  setInvalid(url_, !added);
  error_->setVisible(false);
  if (!added) {
    refuse(added.error(), url_);
    return {};
  }
  noteKnown(typed);
  if (url_->text().trimmed() == typed) url_->clear();
  keep_->setChecked(false);
  return *added;
}

void StoresPanel::refuse(const QString& why, QLineEdit* mended) {
  error_->setText(why);
  error_->setVisible(true);
  mended->setFocus(Qt::ShortcutFocusReason);
  mended->selectAll();
}

void StoresPanel::say(const QString& words) {
  note_->setText(words);
  note_->setVisible(!words.isEmpty());
}

// An address with a password in it is not written down; without it, where the password is kept.
void StoresPanel::noteKnown(const QString& typed) {
  const QString text = keep_->isChecked() ? KeptPasswords::bare(typed) : typed;
  const auto url = parse_store_url(text.toStdString());
  if (!url || !url->password.empty() || text.contains(QStringLiteral("password"), Qt::CaseInsensitive)) return;
  QStringList known = known_;
  known.removeAll(text);
  known.prepend(text);
  setKnown(known.mid(0, kMostKnown));
}

void StoresPanel::setKnown(const QStringList& known) {
  known_ = known;
  static_cast<QStringListModel*>(url_->completer()->model())->setStringList(known);
}

}  // namespace leasescope
