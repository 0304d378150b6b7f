// The keyring of the desktop, by QtKeychain: a secret service (GNOME, KeePassXC), or KWallet. Nothing else includes it.
#pragma once
#include "ui/keyring/password_store.h"

namespace leasescope {

class KeyringStore : public PasswordStore {
 public:
  void find(const QString& address, QObject* whose, std::function<void(const Found&)> then) override;
  void keep(const QString& address, const QString& password, QObject* whose,
            std::function<void(const Done&)> then) override;
  void forget(const QString& address, QObject* whose, std::function<void(const Done&)> then) override;
};

}  // namespace leasescope
