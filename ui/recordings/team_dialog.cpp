#include "ui/recordings/team_dialog.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QStringListModel>
#include <QVBoxLayout>

#include "core/store/types/types.h"
#include "ui/models/words.h"
#include "ui/panels/parts.h"
#include "ui/recordings/history_place.h"
#include "ui/theme/style.h"

namespace leasescope {
namespace {

constexpr int kWidth = 520;  // px: an address with its user, host and database

}  // namespace

TeamDialog::TeamDialog(const KeptPasswords& kept, QWidget* parent) : QDialog(parent), kept_(kept) {
  setObjectName(QStringLiteral("teamDialog"));
  setWindowTitle(tr("Open a team's history"));
  setMinimumWidth(kWidth);
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(16, 14, 16, 14);
  rows->setSpacing(8);
  QLabel* said =
      label(tr("The database that watches record to with leasescopectl watch --record."), 12, 400, Ink::kMuted);
  said->setWordWrap(true);
  address_ = new QLineEdit;
  address_->setObjectName(QStringLiteral("teamUrl"));
  address_->setPlaceholderText(QStringLiteral("postgresql://user@host/database"));
  address_->setAccessibleName(tr("Address of the team's database"));
  auto* completer = new QCompleter(address_);
  completer->setModel(new QStringListModel(completer));
  completer->setFilterMode(Qt::MatchContains);
  address_->setCompleter(completer);
  password_ = new QLineEdit;
  password_->setEchoMode(QLineEdit::Password);
  password_->setPlaceholderText(tr("Password, if it has one"));
  password_->setAccessibleName(tr("Password"));
  password_->setToolTip(tr("Kept while the history is open, and in no file. It may also stand in %1.")
                            .arg(fromText(find_store_type("postgres")->passwords)));
  keep_ = new QCheckBox(tr("Remember it in the keyring"));
  keep_->setToolTip(tr("The password is kept in the keyring of the system, and asked from it the next time"));
  error_ = label({}, 12, 400, Ink::kText);
  error_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  open_ = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
  rows->addWidget(said);
  rows->addWidget(address_);
  rows->addWidget(password_);
  rows->addWidget(keep_);
  rows->addWidget(error_);
  rows->addWidget(buttons);
  open_->setDefault(true);  // a button that is in no dialog yet would be none of its
  connect(buttons, &QDialogButtonBox::accepted, this, &TeamDialog::submit);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(address_, &QLineEdit::textEdited, this, [this] { say({}); });
  connect(address_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (kept_.has(text)) keep_->setChecked(true);
  });
  connect(this, &QDialog::finished, password_, &QLineEdit::clear);
}

void TeamDialog::ask(const QString& address, const QStringList& known, const QString& why) {
  static_cast<QStringListModel*>(address_->completer()->model())->setStringList(known);
  address_->setText(address.isEmpty() ? known.value(0) : address);
  keep_->setChecked(kept_.has(address_->text()));
  password_->clear();
  say(why);
  QWidget* const first = why.isEmpty() || address.isEmpty() ? address_ : password_;
  open();
  first->setFocus(Qt::OtherFocusReason);
}

void TeamDialog::submit() {
  const auto place = HistoryPlace::team(address_->text(), password_->text());
  if (!place) {
    say(place.error());
    setInvalid(address_, true);
    return address_->setFocus(Qt::OtherFocusReason);
  }
  const QString address = address_->text().trimmed(), password = password_->text();
  accept();
  emit chosen(address, password, keep_->isChecked());
}

void TeamDialog::say(const QString& why) {
  setInvalid(address_, false);
  error_->setText(why);
  error_->setVisible(!why.isEmpty());
}

}  // namespace leasescope
