// What processes believe, in the window of whoever watches their store: beside the truth in the table, the detail, the
// events and the chart. By the store's own messages, which the window hears without being asked to.
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextDocumentFragment>
#include <algorithm>

#include "core/observe/belief_book.h"
#include "core/observe/belief_outlet.h"
#include "core/store/belief_ways.h"
#include "simulator/live/private_server.h"
#include "tests/store/rig.h"
#include "tests/support/stores.h"
#include "tests/support/window_suite.h"
#include "tests/ui/window_watch.h"
#include "ui/models/words.h"
#include "ui/timeline/timeline_view.h"
#include "ui/watch/event_feed.h"
#include "ui/watch/mutex_detail.h"
#include "ui/watch/stores_panel.h"

using namespace leasescope;
using namespace leasescope::tests;

class WatchBeliefsTest : public WindowSuite {
  Q_OBJECT

  static constexpr milliseconds kLease{60'000};

  std::unique_ptr<PrivateServer> server_;
  std::unique_ptr<QtLoop> loop_;
  PlainNames names_;
  std::unique_ptr<Client> owner_, former_;
  std::unique_ptr<BeliefOutlet> outlet_;
  QString refused_;
  Token token_ = kNoToken, token_before_ = kNoToken;

  void believes(const char* who, Token token) {
    outlet_->owns("orders", who, token, loop_->now() + milliseconds(30'000));
  }
  static QString state(TestWindow& window) { return watchCell(window, "orders", MutexesModel::kState); }
  // All that stands there of the chosen mutex, without what shapes it.
  static QString detail(TestWindow& window) {
    QString out;
    for (const QLabel* part : watch(window).detail()->findChildren<QLabel*>())
      if (part->isVisible()) out += QTextDocumentFragment::fromHtml(part->text()).toPlainText() + u'\n';
    return out;
  }
  static std::size_t believedOf(TestWindow& window, const char* who) {
    for (const ContenderRow& row : watch(window).view()->timeline()->data().contenders())
      if (row.name == who) return row.believed.size();
    return 0;
  }
  void watchIt(TestWindow& window) {
    show(window);
    window.open(fromText(printable(server_->url())));
    QVERIFY2(watch(window).stores()->error().isEmpty(), qPrintable(watch(window).stores()->error()));
    QTRY_COMPARE_WITH_TIMEOUT(watchCell(window, "orders", MutexesModel::kOwner), QString("a"), kSeen);
    QTRY_VERIFY(watch(window).mutexes()->chosen() != nullptr);
  }
  // It listens some time after its first look; whoever tells says it again, as renewals do.
  static bool shown(const std::function<bool()>& so, const std::function<void()>& say) {
    for (int i = 0; i < 20; ++i) {
      say();
      if (QTest::qWaitFor(so, 250)) return true;
    }
    return false;
  }

 private slots:
  void initTestCase() { WindowSuite::initTestCase(); }
  void init() {
    WindowSuite::init();
    QSettings().clear();
    refused_.clear();
    server_ = std::make_unique<PrivateServer>(this_store());
    const auto started = server_->start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    const auto looked = probe(server_->url());
    QVERIFY2(looked.has_value(), looked ? "" : looked.error().c_str());
    loop_ = std::make_unique<QtLoop>();
    owner_ = std::make_unique<Client>(*loop_, names_, server_->url(), "a");
    former_ = std::make_unique<Client>(*loop_, names_, server_->url(), "b");
    QVERIFY(owner_->connects() && former_->connects());
    const Told before = former_->ask(RequestKind::kAcquire, "orders", kLease);
    QVERIFY2(before.reply.done, before.error.c_str());
    QVERIFY(former_->ask(RequestKind::kRelease, "orders", kLease).error.empty());
    const Told granted = owner_->ask(RequestKind::kAcquire, "orders", kLease);
    QVERIFY2(granted.reply.done, granted.error.c_str());
    token_before_ = before.reply.token;
    token_ = granted.reply.token;
    if (this_store().tell_beliefs != nullptr)
      outlet_ =
          open_belief_outlet(*loop_, {}, server_->url(), [this](const std::string& why) { refused_ = fromText(why); });
  }
  void cleanup() {
    outlet_.reset();
    former_.reset();
    owner_.reset();
    loop_.reset();
    server_.reset();
  }

  void whatIsBelievedStandsBesideTheTruth_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : lease_stores())
      if (type->tell_beliefs != nullptr) QTest::newRow(type->name().data()) << true;
  }
  void whatIsBelievedStandsBesideTheTruth() {
    TestWindow window;
    watchIt(window);
    if (QTest::currentTestFailed()) return;
    QTRY_VERIFY(detail(window).contains(fromText(std::string(no_beliefs_words(true)))));
    QCOMPARE(state(window), QString("held"));
    // Its owner, and nobody else: nothing is at odds.
    QVERIFY2(shown([&] { return believedOf(window, "a") > 0; }, [&] { believes("a", token_); }), qPrintable(refused_));
    QTRY_VERIFY2(detail(window).contains(QStringLiteral("owns #%1").arg(token_)), qPrintable(detail(window)));
    QCOMPARE(state(window), QString("held"));
    QVERIFY(watch(window).watched().history()->incidents.empty());
    // One too who owned it before, and has not heard that it is over.
    QVERIFY2(shown([&] { return believedOf(window, "b") > 0; }, [&] { believes("b", token_before_); }),
             qPrintable(refused_));
    QTRY_COMPARE(state(window), QString("held, 2 believe"));
    QTRY_VERIFY2(detail(window).contains(QStringLiteral("held; 2 believe that they own it")),
                 qPrintable(detail(window)));
    QVERIFY2(detail(window).contains(QStringLiteral("owns #%1").arg(token_before_)), qPrintable(detail(window)));
    const auto& incidents = watch(window).watched().history()->incidents;
    QTRY_VERIFY(std::any_of(incidents.begin(), incidents.end(),
                            [](const Incident& each) { return each.kind == IncidentKind::kBeliefOverlap; }));
    EventFeed& feed = *watch(window).feed();
    feed.kind()->setCurrentIndex(static_cast<int>(FeedKind::kBeliefs));
    QTRY_VERIFY(feed.model()->rowCount() >= 2);
    // What the store holds is as it was.
    QCOMPARE(watchCell(window, "orders", MutexesModel::kOwner), QString("a"));
    // The owner stops: the other alone is at odds with the store; and then nobody is.
    outlet_->stopped("orders", "a");
    QTRY_COMPARE_WITH_TIMEOUT(state(window), QString("held, another believes"), kSeen);
    outlet_->not_owner("orders", "b");
    QTRY_COMPARE_WITH_TIMEOUT(state(window), QString("held"), kSeen);
    QVERIFY(refused_.isEmpty());
    QVERIFY(watch(window).watched().watch()->stores()[0]->remarks.empty());
  }

  void whereAStoreHasNoMessagesNobodyIsSaidToListen_data() {
    QTest::addColumn<bool>("of no use");
    for (const StoreType* type : lease_stores())
      if (type->tell_beliefs == nullptr) QTest::newRow(type->name().data()) << true;
  }
  void whereAStoreHasNoMessagesNobodyIsSaidToListen() {
    TestWindow window;
    watchIt(window);
    if (QTest::currentTestFailed()) return;
    QTRY_VERIFY2(detail(window).contains(fromText(std::string(no_beliefs_words(false)))), qPrintable(detail(window)));
  }

  // For the processes of one machine, of whatever store.
  void aSocketIsHeardUntilItIsNoMore_data() { whereAStoreHasNoMessagesNobodyIsSaidToListen_data(); }
  void aSocketIsHeardUntilItIsNoMore() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("beliefs.socket"));
    TestWindow window;
    show(window);
    QAction* const hears = watch(window).action(WatchAction::kBeliefs);
    QVERIFY(!hears->isEnabled());  // of nothing nobody believes anything
    watchIt(window);
    if (QTest::currentTestFailed()) return;
    watch(window).chooseSocketWith([&] { return path; });
    hears->trigger();
    QVERIFY(hears->isChecked());
    QCOMPARE(watch(window).watched().beliefSocket(), path);
    QTRY_VERIFY2(detail(window).contains(fromText(std::string(no_beliefs_words(true)))), qPrintable(detail(window)));
    outlet_ = open_belief_outlet(*loop_, BeliefWay{path.toStdString()}, server_->url(),
                                 [this](const std::string& why) { refused_ = fromText(why); });
    QVERIFY2(shown([&] { return believedOf(window, "a") > 0; }, [&] { believes("a", token_); }), qPrintable(refused_));
    QTRY_VERIFY2(detail(window).contains(QStringLiteral("owns #%1").arg(token_)), qPrintable(detail(window)));
    // What is no message is refused, and that is said.
    QSignalSpy told(&watch(window).watched(), &Session::told);
    const auto noise = send_to_socket(path.toStdString());
    QVERIFY(noise.has_value() && (*noise)->send("orders", "hello"));
    QTRY_COMPARE(told.size(), 1);
    QVERIFY2(told.front()[0].toString().startsWith("Beliefs: 1 refused"), qPrintable(told.front()[0].toString()));
    hears->trigger();
    QVERIFY(!hears->isChecked() && watch(window).watched().beliefSocket().isEmpty());
    QVERIFY(!QFileInfo::exists(path));
    hears->trigger();
    QVERIFY(hears->isChecked());
    watch(window).watched().close();
    QVERIFY(!hears->isChecked() && !QFileInfo::exists(path));
  }

  void whereSomethingElseLiesNoSocketIsMade_data() { whereAStoreHasNoMessagesNobodyIsSaidToListen_data(); }
  void whereSomethingElseLiesNoSocketIsMade() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("notes.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    TestWindow window;
    watchIt(window);
    if (QTest::currentTestFailed()) return;
    watch(window).chooseSocketWith([&] { return file.fileName(); });
    watch(window).action(WatchAction::kBeliefs)->trigger();
    QVERIFY(!watch(window).action(WatchAction::kBeliefs)->isChecked());
    QVERIFY(QFileInfo(file).isFile());
    const QString said = watch(window).view()->problem()->problem().message;
    QVERIFY2(said.contains(file.fileName()), qPrintable(said));
    // Nor by a name that no socket can have, which would be cut.
    const QString cut = folder.filePath(QString(120, u'x'));
    watch(window).chooseSocketWith([&] { return cut; });
    watch(window).action(WatchAction::kBeliefs)->trigger();
    QVERIFY(!watch(window).action(WatchAction::kBeliefs)->isChecked());
    QVERIFY(watch(window).view()->problem()->problem().message.contains("107"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::System).size(), 1);
  }
};

LEASESCOPE_SUITE(WatchBeliefsTest)
#include "watch_beliefs_test.moc"
