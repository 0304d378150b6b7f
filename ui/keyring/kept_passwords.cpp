#include "ui/keyring/kept_passwords.h"

#include "core/store/password.h"
#include "core/store/types/types.h"
#include "ui/keyring/keyring_store.h"
#include "ui/models/words.h"

namespace leasescope {

KeptPasswords::KeptPasswords(const QString& key, QObject* parent) : QObject(parent), key_(key) {}
KeptPasswords::~KeptPasswords() = default;

void KeptPasswords::keepIn(std::unique_ptr<PasswordStore> store) { store_ = std::move(store); }

PasswordStore& KeptPasswords::store() {
  if (store_ == nullptr) store_ = std::make_unique<KeyringStore>();
  return *store_;
}

QString KeptPasswords::bare(const QString& typed) {
  const std::string out = without_password(typed.trimmed().toStdString());
  const auto url = parse_store_url(out);
  return url && url->password.empty() ? fromText(out) : QString();
}

QString KeptPasswords::passwordIn(const QString& typed) {
  const auto url = parse_store_url(typed.trimmed().toStdString());
  return url ? fromText(url->password) : QString();
}

void KeptPasswords::find(const QString& typed, std::function<void(const QString&, const QString&)> then) {
  store().find(bare(typed), this, [then = std::move(then)](const PasswordStore::Found& found) {
    if (!found)
      return then({}, tr("The system's keyring cannot be used (%1): type the password here.").arg(found.error()));
    if (!*found) return then({}, tr("The system's keyring has no password for it: type it here."));
    then(**found, {});
  });
}

void KeptPasswords::settle(const QString& typed, const QString& password, bool wanted) {
  const QString address = bare(typed);
  if (address.isEmpty()) return;
  if (wanted && !password.isEmpty()) {
    store().keep(address, password, this, [this, address](const PasswordStore::Done& kept) {
      if (!kept)
        return emit said(tr("The password was not kept: the system's keyring cannot be used (%1). It will be asked for "
                            "the next time.")
                             .arg(kept.error()));
      if (!addresses_.contains(address)) addresses_ << address;
    });
  }
  if (wanted || addresses_.removeAll(address) == 0) return;
  store().forget(address, this, [this](const PasswordStore::Done& forgotten) {
    if (!forgotten)
      emit said(tr("The password is still in the system's keyring, which cannot be used (%1).").arg(forgotten.error()));
  });
}

void KeptPasswords::remember(QSettings& settings) const { settings.setValue(key_, addresses_); }

void KeptPasswords::restore(const QSettings& settings) { addresses_ = settings.value(key_).toStringList(); }

}  // namespace leasescope
