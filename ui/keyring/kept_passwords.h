// The passwords that a reader wanted to be kept: they lie in the system's keyring, and which addresses have one is
// remembered, so that the keyring is asked for these alone.
#pragma once
#include <QObject>
#include <QSettings>
#include <QStringList>
#include <functional>
#include <memory>

#include "ui/keyring/password_store.h"

namespace leasescope {

// To be kept once its server has taken it: a wrong one would be offered again at each start.
struct TypedPassword {
  QString address, password;
};

class KeptPasswords : public QObject {
  Q_OBJECT
 public:
  // `key` is where the addresses stand in settings.
  KeptPasswords(const QString& key, QObject* parent);
  ~KeptPasswords() override;
  // Rather than in the system's keyring.
  void keepIn(std::unique_ptr<PasswordStore> store);

  // An address as it is written down, and the password that was typed into it; both empty where there is none.
  static QString bare(const QString& typed);
  static QString passwordIn(const QString& typed);

  bool has(const QString& typed) const { return !addresses_.isEmpty() && addresses_.contains(bare(typed)); }
  // Later: the password, or none and the line to be said: why, and what to do. That may take as long as somebody takes
  // to unlock the keyring.
  void find(const QString& typed, std::function<void(const QString& password, const QString& why)> then);
  // As the reader wants it: a password that was typed is kept, or what was kept before is forgotten.
  void settle(const QString& typed, const QString& password, bool wanted);
  void keep(const TypedPassword& taken) { settle(taken.address, taken.password, true); }

  void remember(QSettings& settings) const;
  void restore(const QSettings& settings);

 signals:
  void said(const QString& words);  // what was not kept, or not forgotten, and why

 private:
  PasswordStore& store();

  const QString key_;
  std::unique_ptr<PasswordStore> store_;
  QStringList addresses_;
};

}  // namespace leasescope
