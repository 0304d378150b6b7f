// A page over HTTP, as Prometheus reads one.
#pragma once
#include <QByteArray>
#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QString>
#include <QTimer>
#include <QUrl>

namespace leasescope::tests {

// Empty: it is not there within 2 s.
inline QByteArray read_from(const QString& url) {
  QNetworkAccessManager net;
  QNetworkReply* const reply = net.get(QNetworkRequest(QUrl(url)));
  QEventLoop loop;
  QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
  QTimer::singleShot(2000, &loop, &QEventLoop::quit);
  loop.exec();
  return reply->isFinished() && reply->error() == QNetworkReply::NoError ? reply->readAll() : QByteArray();
}

}  // namespace leasescope::tests
