#include "ui/models/aside.h"

#include <QImage>
#include <QPainter>
#include <QSemaphore>

#include "tests/support/ui_suite.h"

using namespace leasescope;

namespace {

// Goes only when it may.
struct Slow {
  QSemaphore* may;
  QSemaphore* gone;
  ~Slow() {
    (void)may->tryAcquire(1, 5'000);
    gone->release();
  }
};

}  // namespace

class AsideTest : public QObject {
  Q_OBJECT
 private slots:
  // Qt divides a fill of this size among the threads of its global pool, and waits for them.
  void aLargeTranslucentFillDoesNotWaitForWhatIsDoneAside() {
    QSemaphore may, gone;
    const int things = 4 * QThread::idealThreadCount();
    for (int i = 0; i < things; ++i) letGoAside(std::unique_ptr<Slow>(new Slow{&may, &gone}));
    QImage picture(1920, 1000, QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::white);
    QPainter(&picture).fillRect(picture.rect(), QColor(0, 0, 0, 100));
    QCOMPARE(gone.available(), 0);
    QVERIFY(picture.pixelColor(960, 500) != QColor(Qt::white));
    may.release(things);
    QVERIFY(gone.tryAcquire(things, 30'000));
  }
};

LEASESCOPE_SUITE(AsideTest)
#include "aside_test.moc"
