#include "ui/models/aside.h"

#include <QImage>
#include <QPainter>
#include <QSemaphore>
#include <atomic>
#include <cstdio>
#include <cstdlib>

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

// What something done aside uses, made after its threads, like a table that is made when it is first looked into: it
// goes before them when the program ends.
struct Used {
  std::atomic<int> users = 0;
  ~Used() {
    if (users == 0) return;
    std::fputs("the program's own things went while something was still done aside\n", stderr);
    std::abort();
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

  // The last of this file: it is judged when the program ends, which fails the suite.
  void whatIsDoneAsideEndsBeforeWhatItUses() {
    QThreadPool& threads = asideThreads();
    static Used used;
    used.users = 1;
    threads.start([] {
      QThread::msleep(300);
      used.users = 0;
    });
    QCOMPARE(used.users, 1);
  }
};

LEASESCOPE_SUITE(AsideTest)
#include "aside_test.moc"
