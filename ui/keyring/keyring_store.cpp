#include "ui/keyring/keyring_store.h"

#include <qt6keychain/keychain.h>

#include <QCoreApplication>
#include <utility>

namespace leasescope {
namespace {

class Say {
  Q_DECLARE_TR_FUNCTIONS(KeyringStore)
};

QString service() { return QStringLiteral("leasescope"); }

QString why(const QKeychain::Job& job) {
  switch (job.error()) {
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
      return Say::tr("no secret service is running");
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
      return Say::tr("it is locked");
    default:
      return job.errorString().simplified();
  }
}

// A job goes by itself when it has ended, and not before: the keyring's own library calls it.
template <class Then>
void start(QKeychain::Job& job, const QString& address, QObject* whose, Then then) {
  job.setInsecureFallback(false);  // never in a file
  job.setKey(address);
  QObject::connect(&job, &QKeychain::Job::finished, whose, std::move(then));
  job.start();
}

void tell(const QKeychain::Job& job, const std::function<void(const PasswordStore::Done&)>& then) {
  if (job.error() == QKeychain::NoError || job.error() == QKeychain::EntryNotFound) return then({});
  then(tl::make_unexpected(why(job)));
}

}  // namespace

void KeyringStore::find(const QString& address, QObject* whose, std::function<void(const Found&)> then) {
  auto* job = new QKeychain::ReadPasswordJob(service());
  start(*job, address, whose, [job, then = std::move(then)](QKeychain::Job*) {
    if (job->error() == QKeychain::NoError) return then(std::optional(job->textData()));
    if (job->error() == QKeychain::EntryNotFound) return then(std::optional<QString>());
    then(tl::make_unexpected(why(*job)));
  });
}

void KeyringStore::keep(const QString& address, const QString& password, QObject* whose,
                        std::function<void(const Done&)> then) {
  auto* job = new QKeychain::WritePasswordJob(service());
  job->setTextData(password);
  start(*job, address, whose, [then = std::move(then)](QKeychain::Job* done) { tell(*done, then); });
}

void KeyringStore::forget(const QString& address, QObject* whose, std::function<void(const Done&)> then) {
  auto* job = new QKeychain::DeletePasswordJob(service());
  start(*job, address, whose, [then = std::move(then)](QKeychain::Job* done) { tell(*done, then); });
}

}  // namespace leasescope
