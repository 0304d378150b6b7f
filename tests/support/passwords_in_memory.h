// A keyring for tests: it lasts longer than a window, answers by the event loop, and can be one that is not there.
#pragma once
#include <QMap>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <utility>

#include "ui/keyring/password_store.h"

namespace leasescope::tests {

struct Keyring {
  QMap<QString, QString> passwords;  // by address
  QString away;                      // why it cannot be used; empty: it can
  bool answers = true;               // else whoever asks waits: it wants to be unlocked first
  int asked = 0;
};

class PasswordsInMemory : public PasswordStore {
 public:
  explicit PasswordsInMemory(std::shared_ptr<Keyring> keyring) : keyring_(std::move(keyring)) {}

  void find(const QString& address, QObject* whose, std::function<void(const Found&)> then) override {
    ++keyring_->asked;
    later(whose, [keyring = keyring_, address, then = std::move(then)] {
      if (!keyring->away.isEmpty()) return then(tl::make_unexpected(keyring->away));
      const auto found = keyring->passwords.constFind(address);
      then(found == keyring->passwords.constEnd() ? std::optional<QString>() : std::optional(*found));
    });
  }
  void keep(const QString& address, const QString& password, QObject* whose,
            std::function<void(const Done&)> then) override {
    later(whose, [keyring = keyring_, address, password, then = std::move(then)] {
      if (!keyring->away.isEmpty()) return then(tl::make_unexpected(keyring->away));
      keyring->passwords[address] = password;
      then({});
    });
  }
  void forget(const QString& address, QObject* whose, std::function<void(const Done&)> then) override {
    later(whose, [keyring = keyring_, address, then = std::move(then)] {
      if (!keyring->away.isEmpty()) return then(tl::make_unexpected(keyring->away));
      keyring->passwords.remove(address);
      then({});
    });
  }

 private:
  template <class What>
  void later(QObject* whose, What what) {
    if (keyring_->answers) QTimer::singleShot(0, whose, std::move(what));
  }

  std::shared_ptr<Keyring> keyring_;
};

}  // namespace leasescope::tests
