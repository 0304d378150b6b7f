#include "ui/watch/connection_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/theme/style.h"
#include "ui/watch/store_form.h"

namespace leasescope {
namespace {

constexpr int kWidth = 560;   // px: an address with its user, host and database
constexpr int kHeight = 560;  // with it there is room in a window of 640

}  // namespace

ConnectionDialog::ConnectionDialog(const WatchSession& session, KeptPasswords& kept, QWidget* parent)
    : QDialog(parent), session_(session), kept_(kept) {
  setObjectName(QStringLiteral("connectionDialog"));
  build();
  connect(address_, &QLineEdit::textEdited, this, &ConnectionDialog::takeAddress);
  connect(form_, &StoreForm::edited, this, &ConnectionDialog::takeForm);
  connect(password_, &QLineEdit::textEdited, this, [this] {
    ofAddress_ = false;
    stopTest();
  });
  connect(likely_, &QCheckBox::toggled, this, &ConnectionDialog::stopTest);
  connect(test_, &QPushButton::clicked, this, [this] {
    if (check_.runs() || asks_) {
      stopTest();
      return say(tr("The test was cancelled."));
    }
    test();
  });
  connect(&check_, &StoreCheck::ended, this, &ConnectionDialog::tell);
  connect(this, &QDialog::finished, this, [this] {
    stopTest();
    password_->clear();
    address_->clear();
    form_->clear();
  });
}

void ConnectionDialog::build() {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(16, 14, 16, 14);
  rows->setSpacing(8);
  address_ = new QLineEdit;
  address_->setObjectName(QStringLiteral("connectionUrl"));
  address_->setAccessibleName(tr("Address of the store"));
  address_->setToolTip(fromText(watched_schemes()));
  form_ = new StoreForm;
  password_ = new QLineEdit;
  password_->setObjectName(QStringLiteral("connectionPassword"));
  password_->setEchoMode(QLineEdit::Password);
  password_->setAccessibleName(tr("Password"));
  password_->setToolTip(
      tr("Kept while the store is watched, and in no file. It may also stand in %1.").arg(fromText(store_passwords())));
  keep_ = new QCheckBox(tr("&Remember it in the keyring"));
  keep_->setToolTip(tr("The password is kept in the keyring of the system, and asked from it the next time"));
  likely_ = new QCheckBox(tr("&Also what only looks like a lock"));
  said_ = label({}, 12, 400, Ink::kText);
  said_->setObjectName(QStringLiteral("connectionSaid"));
  said_->setTextFormat(Qt::PlainText);
  said_->setWordWrap(true);
  auto* fields = new QWidget;
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(0, 0, 6, 0);
  column->setSpacing(8);
  column->addWidget(form_);
  auto* login = new QFormLayout;
  login->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  login->addRow(tr("&Password"), password_);
  column->addLayout(login);
  column->addWidget(keep_);
  column->addWidget(likely_);
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(fields);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  test_ = buttons->addButton(tr("&Test"), QDialogButtonBox::ActionRole);
  test_->setObjectName(QStringLiteral("testConnection"));
  test_->setAutoDefault(false);
  watch_ = buttons->addButton(tr("Watch"), QDialogButtonBox::AcceptRole);
  watch_->setObjectName(QStringLiteral("acceptConnection"));
  rows->addWidget(address_);
  rows->addWidget(scroll, 1);
  rows->addWidget(said_);
  rows->addWidget(buttons);
  watch_->setDefault(true);  // a button that is in no dialog yet would be none of its
  connect(buttons, &QDialogButtonBox::accepted, this, &ConnectionDialog::submit);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  setMinimumWidth(kWidth);
  resize(kWidth, kHeight);
}

void ConnectionDialog::ask(const Wanted& with) {
  instead_.reset();
  setWindowTitle(tr("Watch a store"));
  watch_->setText(tr("Watch"));
  password_->setPlaceholderText(tr("If it has one"));
  begin(with);
}

void ConnectionDialog::change(std::size_t store) {
  if (!session_.watches(store)) return;
  instead_ = store;
  setWindowTitle(tr("Change a store"));
  watch_->setText(tr("Change"));
  password_->setPlaceholderText(tr("As before, for the same server and user"));
  const QString address = session_.addressOf(store);
  begin({address, {}, kept_.has(address), session_.foreignOf(store) == Foreign::kLikely, store});
}

void ConnectionDialog::begin(const Wanted& with) {
  address_->setText(with.address);
  password_->setText(with.password);
  ofAddress_ = false;
  form_->clear();
  takeAddress();
  if (with.address.isEmpty()) takeForm();
  keep_->setChecked(with.keep);
  likely_->setChecked(with.likely);
  stopTest();
  open();
  address_->setFocus(Qt::OtherFocusReason);
  address_->selectAll();
}

ConnectionDialog::Wanted ConnectionDialog::wanted() const {
  return {address_->text().trimmed(), password_->text(), keep_->isChecked(), likely_->isChecked(), instead_};
}

// A password in it goes to its own field too: the address is written anew without it when the form is edited.
void ConnectionDialog::takeAddress() {
  stopTest();
  form_->unmark();
  setInvalid(address_, false);
  taken_ = form_->take(address_->text());
  if (!taken_) return;
  if (const QString inside = form_->password(); !inside.isEmpty() || ofAddress_) {
    password_->setText(inside);
    ofAddress_ = !inside.isEmpty();
  }
  if (kept_.has(address_->text())) keep_->setChecked(true);
}

void ConnectionDialog::takeForm() {
  stopTest();
  setInvalid(address_, false);
  address_->setText(form_->address());
  taken_ = true;
  ofAddress_ = false;
  if (kept_.has(address_->text())) keep_->setChecked(true);
}

void ConnectionDialog::submit() {
  stopTest();
  const Wanted what = wanted();
  const auto url = session_.urlOf(what.address, what.password, instead_);
  if (!url) return refuse(url.error());
  const QString why = submit_ ? submit_(what) : QString();
  if (!why.isEmpty()) return refuse(why);
  accept();
}

// The keyring takes as long as somebody takes to unlock it.
void ConnectionDialog::test() {
  const Wanted what = wanted();
  const auto url = session_.urlOf(what.address, what.password, instead_);
  if (!url) return refuse(url.error());
  if (!url->password.empty() || !what.keep || !kept_.has(what.address)) return testAs(*url);
  asks_ = true;
  test_->setText(tr("Cancel the &test"));
  say(tr("The system's keyring is asked for the password…"));
  kept_.find(what.address, [this, of = *url, asked = ++asked_](const QString& password, const QString& why) {
    if (!asks_ || asked != asked_) return;
    asks_ = false;
    if (!why.isEmpty()) {
      stopTest();
      say(why, true);
      return password_->setFocus(Qt::OtherFocusReason);
    }
    StoreUrl with = of;
    with.password = password.toStdString();
    testAs(with);
  });
}

void ConnectionDialog::testAs(const StoreUrl& url) {
  test_->setText(tr("Cancel the &test"));
  say(tr("%1 is looked at…").arg(fromText(printable(url))));
  check_.begin(url, likely_->isChecked() ? Foreign::kLikely : Foreign::kCertain);
}

void ConnectionDialog::stopTest() {
  check_.cancel();
  asks_ = false;
  test_->setText(tr("&Test"));
  say({});
}

void ConnectionDialog::tell(bool answers, const QString& words, const QStringList& remarks) {
  stopTest();
  say((QStringList{words} + remarks).join(u'\n'), !answers);
}

void ConnectionDialog::refuse(const QString& why) {
  say(why, true);
  QWidget* const mended = taken_ ? form_->mark() : nullptr;
  setInvalid(address_, mended == nullptr);
  QWidget* const first = mended != nullptr ? mended : address_;
  first->setFocus(Qt::OtherFocusReason);
}

void ConnectionDialog::say(const QString& words, bool wrong) {
  said_->setText(words);
  said_->setAccessibleName(words);
  setInk(said_, wrong ? Ink::kWarn : Ink::kText);
  said_->setVisible(!words.isEmpty());
}

}  // namespace leasescope
