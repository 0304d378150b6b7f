// What is written aside is read again as it was, and nobody sees where it lay.
#include "core/history/recording/event_spool.h"

#include <QDir>
#include <QTemporaryDir>

#include "tests/support/recordings.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"

using namespace leasescope;
using namespace leasescope::tests;

class EventSpoolTest : public QObject {
  Q_OBJECT
 private slots:
  void theEventsComeAgainThoughTheyAreForgotten();
  void noMoreIsHeldThanIsLookedBackAt();
  void whoeverHasEnoughIsToldNoMore();
  void nothingLiesInTheFolder();
  void whereTheFolderTakesNothingAnotherDoes();
};

namespace {

constexpr std::size_t kMany = 300'000;

Event event_of(std::size_t i) {
  const auto n = static_cast<std::int64_t>(i);
  Event event;
  event.lo = TrueTime(Duration(n * 1'000));
  event.hi = event.lo + Duration(n % 7);
  event.token = i / 10;
  event.a = n % 3 == 0 ? kNoDeadline : n * n;
  event.b = -n;
  event.node.handle = static_cast<std::uint32_t>(i % 50);
  event.mutex.handle = static_cast<std::uint32_t>(i % 4);
  event.cause = static_cast<Sequence>(i / 2);
  event.kind = static_cast<EventKind>(i % kEventKinds);
  event.detail = static_cast<std::uint8_t>(i % 5);
  return event;
}

// A history that grows and is forgotten; `before`: so many were before the first.
std::string spooled(EventSpool& spool, Sequence before = 0) {
  History history;
  history.forgotten = before;
  for (std::size_t i = 0, piece = 1; i < kMany; piece = piece * 3 % 20'011) {
    for (const std::size_t end = std::min(kMany, i + piece); i < end; ++i) history.events.push_back(event_of(i));
    if (std::string why = spool.append(history); !why.empty()) return why;
    history.forget_all_but(piece % 2 == 0 ? 0 : piece / 2);
  }
  return {};
}

}  // namespace

void EventSpoolTest::theEventsComeAgainThoughTheyAreForgotten() {
  const QTemporaryDir folder;
  for (const Sequence before : {Sequence{0}, Sequence{1'000'000}}) {
    EventSpool spool(folder.path().toStdString());
    QCOMPARE(spooled(spool, before), std::string());
    for (int pass = 0; pass < 2; ++pass) {
      History page;
      Sequence read = before;
      std::size_t wrong = 0;
      const std::string why = spool.each_page(page, [&] {
        for (; read < page.last(); ++read) wrong += !same(page.event(read + 1), event_of(read - before));
        return true;
      });
      QCOMPARE(why, std::string());
      QCOMPARE(wrong, std::size_t{0});
      QCOMPARE(read, before + static_cast<Sequence>(kMany));
    }
  }
}

void EventSpoolTest::noMoreIsHeldThanIsLookedBackAt() {
  const QTemporaryDir folder;
  EventSpool spool(folder.path().toStdString());
  QCOMPARE(spooled(spool), std::string());
  History page;
  std::size_t most = 0;
  Sequence least = 65'000;
  QCOMPARE(spool.each_page(page,
                           [&] {
                             most = std::max(most, page.events.size());
                             if (page.forgotten > 0) least = std::min(least, static_cast<Sequence>(page.events.size()));
                             return true;
                           }),
           std::string());
  QVERIFY2(most < 140'000, std::to_string(most).c_str());
  QCOMPARE(least, Sequence{65'000});  // those before it are there, once so many have come
}

void EventSpoolTest::whoeverHasEnoughIsToldNoMore() {
  const QTemporaryDir folder;
  EventSpool spool(folder.path().toStdString());
  QCOMPARE(spooled(spool), std::string());
  History page;
  int pages = 0;
  QCOMPARE(spool.each_page(page, [&] { return ++pages < 2; }), std::string());
  QCOMPARE(pages, 2);
}

void EventSpoolTest::nothingLiesInTheFolder() {
  const QTemporaryDir folder;
  EventSpool spool(folder.path().toStdString());
  QCOMPARE(spooled(spool), std::string());
  QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot));
}

void EventSpoolTest::whereTheFolderTakesNothingAnotherDoes() {
  const TemporaryFolder temporary;
  EventSpool spool("/no/such/folder");
  QCOMPARE(spooled(spool), std::string());
  History page;
  QCOMPARE(spool.each_page(page, [] { return true; }), std::string());
  QCOMPARE(page.last(), static_cast<Sequence>(kMany));
  qputenv("TMPDIR", "/no/such/folder/either");
  EventSpool nowhere("/no/such/folder");
  const std::string why = spooled(nowhere);
  QVERIFY2(why.find("/no/such/folder: No such file or directory") != std::string::npos, why.c_str());
}

LEASESCOPE_SUITE(EventSpoolTest)
#include "event_spool_test.moc"
