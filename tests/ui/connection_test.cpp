// Stores to be watched by a form: it and the address say the same, a test tells what is there or what is wrong, a
// password is in no file, and what was changed or left comes back.
#include <QAccessible>
#include <QFile>

#include "core/store/postgres/store_type.h"
#include "core/store/types/types.h"
#include "tests/store/free_port.h"
#include "tests/support/impostor.h"
#include "tests/support/passwords_in_memory.h"
#include "tests/ui/watched_redis_suite.h"
#include "ui/theme/look.h"
#include "ui/theme/style.h"
#include "ui/watch/connection_dialog.h"
#include "ui/watch/store_form.h"
#include "ui/watch/watched_stores_model.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kTested = 7'000;  // ms: a test, at its patience's end too
const QString kSecret = QStringLiteral("s3cret-of-the-form");

ConnectionDialog& dialog(TestWindow& window) { return *watch(window).stores()->dialog(); }

QString fieldText(TestWindow& window, const char* name) {
  const auto* line = qobject_cast<QLineEdit*>(dialog(window).form()->field(QString::fromLatin1(name)));
  return line == nullptr ? QStringLiteral("(no field)") : line->text();
}

void type(QLineEdit* into, const QString& text) {
  into->setFocus();
  into->selectAll();
  QTest::keyClick(into, Qt::Key_Delete);
  QTest::keyClicks(into, text);
}

QString written() {
  QSettings settings;
  settings.sync();
  QFile file(settings.fileName());
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

class ConnectionTest : public WatchedRedisSuite {
  Q_OBJECT

  static void openForm(TestWindow& window, QSize size = {1440, 900}) {
    show(window, size);
    window.turnTo(watch(window));
    watch(window).action(WatchAction::kStoreForm)->trigger();
    QTRY_VERIFY(dialog(window).isVisible());
  }
  // What a test of that address says.
  static QString tested(TestWindow& window, const QString& address, const QString& password = {}) {
    type(dialog(window).address(), address);
    if (!password.isEmpty()) type(dialog(window).password(), password);
    QTest::mouseClick(dialog(window).testButton(), Qt::LeftButton);
    const bool ended = QTest::qWaitFor([&] { return !dialog(window).check().runs(); }, kTested);
    return ended ? dialog(window).said() : QStringLiteral("(it goes on)");
  }
  std::unique_ptr<PrivateServer> guarded() {
    PrivateServerOptions options;
    options.password = kSecret.toStdString();
    auto server = std::make_unique<PrivateServer>(redis::store_type(), options);
    return server->start() ? std::move(server) : nullptr;
  }
  static QString bare(const PrivateServer& server) {
    StoreUrl url = server.url();
    url.password.clear();
    return fromText(printable(url));
  }
  static const WatchedStore& first(TestWindow& window) { return *watch(window).watched().watch()->stores()[0]; }

 private slots:
  void initTestCase() { WatchedRedisSuite::initTestCase(); }
  void init() { WatchedRedisSuite::init(); }

  void everyStoreThatCanBeWatchedIsOffered() {
    TestWindow window;
    openForm(window);
    QCOMPARE(dialog(window).form()->type()->count(), static_cast<int>(watched_types().size()));
    for (int i = 0; i < dialog(window).form()->type()->count(); ++i)
      QCOMPARE(dialog(window).form()->type()->itemText(i),
               fromText(watched_types()[static_cast<std::size_t>(i)]->title));
  }

  void theAddressThatIsTypedIsInTheFields() {
    TestWindow window;
    openForm(window);
    type(dialog(window).address(), QStringLiteral("rediss://joe@db.example:7000/3?cacert=/etc/ca.pem"));
    QCOMPARE(dialog(window).form()->type()->currentText(), QString("Redis"));
    QCOMPARE(dialog(window).form()->way()->currentText(), QString("Over TLS"));
    QCOMPARE(fieldText(window, "host"), QString("db.example"));
    QCOMPARE(fieldText(window, "port"), QString("7000"));
    QCOMPARE(fieldText(window, "Database"), QString("3"));
    QCOMPARE(fieldText(window, "user"), QString("joe"));
    QCOMPARE(fieldText(window, "cacert"), QString("/etc/ca.pem"));
  }

  void whatIsTypedIntoAFieldIsInTheAddress() {
    TestWindow window;
    openForm(window);
    type(dialog(window).address(), QStringLiteral("redis://h?legacy=on"));
    type(qobject_cast<QLineEdit*>(dialog(window).form()->field(QStringLiteral("host"))), QStringLiteral("db"));
    type(qobject_cast<QLineEdit*>(dialog(window).form()->field(QStringLiteral("port"))), QStringLiteral("7001"));
    type(qobject_cast<QLineEdit*>(dialog(window).form()->field(QStringLiteral("user"))), QStringLiteral("a@b"));
    QCOMPARE(dialog(window).address()->text(), QString("redis://a%40b@db:7001?legacy=on"));
    // Another way, and another store, by the keys.
    dialog(window).form()->way()->setFocus();
    QTest::keyClick(dialog(window).form()->way(), Qt::Key_Down);
    QCOMPARE(dialog(window).address()->text(), QString("rediss://a%40b@db:7001?legacy=on"));
    dialog(window).form()->type()->setFocus();
    QTest::keyClick(dialog(window).form()->type(), Qt::Key_Down);
    QCOMPARE(dialog(window).address()->text(), QString("postgresql://a%40b@db"));
    QVERIFY(dialog(window).form()->field(QStringLiteral("sslmode")) != nullptr);
  }

  // Whoever pastes an address with its password finds it in the password's field; the form writes none into the
  // address.
  void aPasswordInTheAddressGoesToItsField() {
    TestWindow window;
    openForm(window);
    type(dialog(window).address(), QStringLiteral("redis://joe:") + kSecret + QStringLiteral("@h:1/0"));
    QCOMPARE(dialog(window).password()->text(), kSecret);
    QCOMPARE(dialog(window).password()->echoMode(), QLineEdit::Password);
    type(qobject_cast<QLineEdit*>(dialog(window).form()->field(QStringLiteral("port"))), QStringLiteral("2"));
    QCOMPARE(dialog(window).address()->text(), QString("redis://joe@h:2/0"));
    QCOMPARE(dialog(window).password()->text(), kSecret);
    QTest::keyClick(&dialog(window), Qt::Key_Escape);
    QTRY_VERIFY(!dialog(window).isVisible());
    QVERIFY(dialog(window).password()->text().isEmpty());
    QVERIFY(dialog(window).address()->text().isEmpty());
  }

  void theFieldThatIsWrongIsMarked_data() {
    QTest::addColumn<QString>("address");
    QTest::addColumn<QString>("field");
    QTest::newRow("no number of a database") << "redis://h/shop"
                                             << "Database";
    QTest::newRow("a database is wanted") << "mysql://h"
                                          << "Database";
    QTest::newRow("a certificate without its key") << "rediss://h?cert=/a.pem"
                                                   << "cert";
    QTest::newRow("no master") << "redis+sentinel://h"
                               << "Master";
  }
  void theFieldThatIsWrongIsMarked() {
    QFETCH(const QString, address);
    QFETCH(const QString, field);
    TestWindow window;
    openForm(window);
    type(dialog(window).address(), address);
    QWidget* const wrong = dialog(window).form()->field(field);
    QTRY_VERIFY(wrong != nullptr && wrong->isVisible());  // fields come as the address is typed
    QTest::keyClick(dialog(window).address(), Qt::Key_Return);
    QVERIFY(dialog(window).isVisible());
    QVERIFY(flagged(wrong, kInvalid));
    QVERIFY(!flagged(dialog(window).address(), kInvalid));
    QTRY_COMPARE(dialog(window).focusWidget(), wrong);
    QVERIFY2(!dialog(window).said().isEmpty(), "it is not said why");
    QVERIFY(watch(window).watched().watch() == nullptr);
  }

  void aTestTellsWhatIsThereAndWatchesNothing() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    openForm(window);
    const QString said = tested(window, url_);
    QVERIFY2((said.startsWith(QStringLiteral("redis ")) || said.startsWith(QStringLiteral("valkey "))) &&
                 said.contains(QStringLiteral(" answers in ")) && said.contains(QStringLiteral("1 mutex")) &&
                 said.contains(QStringLiteral("all rights")),
             qPrintable(said));
    QVERIFY(watch(window).watched().watch() == nullptr);
  }

  void aTestOfAPostgresTellsWhichItIs() {
    PrivateServer server(postgres::store_type());
    const auto started = server.start();
    QVERIFY2(started.has_value(), started ? "" : started.error().c_str());
    TestWindow window;
    openForm(window);
    const QString said = tested(window, bare(server), fromText(server.url().password));
    QVERIFY2(said.startsWith(QStringLiteral("PostgreSQL 1")) && said.contains(QStringLiteral(" answers in ")),
             qPrintable(said));
  }

  void aTestIsBegunAndCancelledByTheKeys() {
    Impostor silent([](Peer& peer, int) { peer.be_silent(); });
    TestWindow window;
    openForm(window);
    type(dialog(window).address(), QStringLiteral("redis://127.0.0.1:%1").arg(silent.port()));
    dialog(window).testButton()->setFocus();
    QTest::keyClick(dialog(window).testButton(), Qt::Key_Space);
    QVERIFY(dialog(window).check().runs());
    QTRY_VERIFY(silent.met() > 0);
    QTest::keyClick(dialog(window).testButton(), Qt::Key_Space);
    QVERIFY(!dialog(window).check().runs());
    QVERIFY(dialog(window).said().contains(QStringLiteral("cancelled")));
    QVERIFY(dialog(window).isVisible());
  }

  void aTestSaysWhatIsWrongAndWhatToDo() {
    const auto server = guarded();
    QVERIFY(server != nullptr);
    Impostor web([](Peer& peer, int) {
      peer.say("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>");
      peer.be_silent();
    });
    TestWindow window;
    openForm(window);
    const QString refused = tested(window, QStringLiteral("redis://127.0.0.1:%1").arg(free_port()));
    QVERIFY2(refused.contains(QStringLiteral("is it running, and is this its address?")), qPrintable(refused));
    const QString other = tested(window, QStringLiteral("redis://127.0.0.1:%1").arg(web.port()));
    QVERIFY2(!other.contains(QStringLiteral("answers in")) && other.contains(QStringLiteral("Redis")),
             qPrintable(other));
    const QString wrong = tested(window, bare(*server), QStringLiteral("mistyped"));
    QVERIFY2(wrong.endsWith(QStringLiteral("the user or the password is wrong")) &&
                 !wrong.contains(QStringLiteral("mistyped")),
             qPrintable(wrong));
    const QString right = tested(window, bare(*server), kSecret);
    QVERIFY2(right.contains(QStringLiteral("answers in")) && !right.contains(kSecret), qPrintable(right));
  }

  // Nobody who says nothing keeps the test for longer than that.
  void aTestEndsByItself() {
    Impostor silent([](Peer& peer, int) { peer.be_silent(); });
    TestWindow window;
    openForm(window);
    dialog(window).check().setPatience(200);
    const QString said = tested(window, QStringLiteral("redis://127.0.0.1:%1").arg(silent.port()));
    QVERIFY2(said.contains(QStringLiteral("No answer within")), qPrintable(said));
  }

  void whatWasFilledInIsWatchedAndItsPasswordIsInNoFile() {
    const auto server = guarded();
    QVERIFY(server != nullptr);
    {
      TestWindow window;
      openForm(window);
      type(dialog(window).address(), bare(*server));
      type(dialog(window).password(), kSecret);
      QTest::keyClick(dialog(window).password(), Qt::Key_Return);
      QTRY_VERIFY(!dialog(window).isVisible());
      QVERIFY(watch(window).watched().watch() != nullptr);
      QTRY_VERIFY_WITH_TIMEOUT(watch(window).watched().watch()->complete(), kSeen);
      QVERIFY(watch(window).stores()->password()->text().isEmpty());
      window.close();
    }
    QVERIFY(written().contains(QStringLiteral("stores=")));
    QVERIFY(!written().contains(kSecret));
  }

  void whatTheKeyringKeepsIsTestedWith() {
    const auto server = guarded();
    QVERIFY(server != nullptr);
    const auto keyring = std::make_shared<Keyring>();
    TestWindow window;
    openForm(window);
    watch(window).stores()->kept().keepIn(std::make_unique<PasswordsInMemory>(keyring));
    type(dialog(window).address(), bare(*server));
    type(dialog(window).password(), kSecret);
    dialog(window).keep()->setChecked(true);
    QTest::mouseClick(dialog(window).button(), Qt::LeftButton);
    QTRY_COMPARE(keyring->passwords.value(bare(*server)), kSecret);
    watch(window).action(WatchAction::kStoreForm)->trigger();
    type(dialog(window).address(), bare(*server));
    QVERIFY(dialog(window).keep()->isChecked());
    QTest::mouseClick(dialog(window).testButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(dialog(window).said().contains(QStringLiteral("answers in")), kTested);
    QCOMPARE(keyring->asked, 1);
  }

  // Its password is kept for the same server, and asked for another one.
  void aStoreIsChangedAndChangedBack() {
    const auto server = guarded();
    QVERIFY(server != nullptr);
    TestWindow window;
    show(window);
    window.turnTo(watch(window));
    QVERIFY(watch(window).stores()->add(bare(*server), kSecret));
    QTRY_VERIFY_WITH_TIMEOUT(!first(window).blind, kSeen);
    QListView& list = *watch(window).stores()->list();
    list.setFocus();
    list.setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Return);
    QTRY_VERIFY(dialog(window).isVisible());
    QCOMPARE(dialog(window).address()->text(), bare(*server));
    QVERIFY(dialog(window).password()->text().isEmpty());
    QVERIFY2(tested(window, bare(*server)).contains(QStringLiteral("answers in")), qPrintable(dialog(window).said()));
    type(dialog(window).address(), url_);
    QTest::keyClick(dialog(window).address(), Qt::Key_Return);
    QTRY_VERIFY(!dialog(window).isVisible());
    QCOMPARE(list.model()->rowCount(), 1);
    QCOMPARE(list.model()->index(0, 0).data().toString(), url_);
    watch(window).action(WatchAction::kUndo)->trigger();
    QCOMPARE(list.model()->rowCount(), 1);
    QCOMPARE(list.model()->index(0, 0).data().toString(), bare(*server));
    QTRY_VERIFY_WITH_TIMEOUT(!first(window).blind, kSeen);
    watch(window).action(WatchAction::kRedo)->trigger();
    QCOMPARE(list.model()->index(0, 0).data().toString(), url_);
  }

  void aStoreThatWasLeftComesBackByUndo() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    QListView& list = *watch(window).stores()->list();
    list.setFocus();
    list.setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(&list, Qt::Key_Delete);
    QCOMPARE(list.model()->rowCount(), 0);
    QTRY_COMPARE(cell(window, "orders", MutexesModel::kState), QString("not observed"));
    QVERIFY(watch(window).action(WatchAction::kUndo)->text().contains(QStringLiteral("no more")));
    watch(window).action(WatchAction::kUndo)->trigger();
    QCOMPARE(list.model()->rowCount(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(cell(window, "orders", MutexesModel::kState), QString("held"), kSeen);
  }

  void theLastErrorStaysWithItsAge() {
    own("orders", "a", 1, 60'000);
    TestWindow window;
    watchIt(window);
    const QAbstractItemModel& list = *watch(window).stores()->list()->model();
    const auto about = [&] { return list.index(0, 0).data(WatchedStoresModel::kAboutRole).toString(); };
    QVERIFY(list.index(0, 0).data(WatchedStoresModel::kErrorRole).toString().isEmpty());
    server_->kill();
    QTRY_VERIFY_WITH_TIMEOUT(about().startsWith(QStringLiteral("not observed for")), 6000);
    QVERIFY(server_->start_again().has_value());
    QTRY_VERIFY_WITH_TIMEOUT(about().contains(QStringLiteral("last error ")), 15'000);
    QVERIFY2(about().contains(QStringLiteral(" ago: ")), qPrintable(about()));
  }

  // In the smallest window every field can be reached by the keys, and bears a name for those who do not see it.
  void theFormIsUsedByTheKeysInTheSmallestWindow() {
    for (const bool dark : {false, true}) {
      Look::instance().choose(dark ? ThemeChoice::kDark : ThemeChoice::kLight);
      TestWindow window;
      openForm(window, {1024, 640});
      QVERIFY(dialog(window).height() <= 640 && dialog(window).width() <= 1024);
      type(dialog(window).address(), QStringLiteral("rediss+sentinel://a:1,b:2/mine"));
      QTRY_VERIFY(dialog(window).form()->field(QStringLiteral("Master"))->isVisible());
      QSet<QWidget*> met;
      QStringList order;
      for (int i = 0; i < 40; ++i) {
        QTest::keyClick(dialog(window).focusWidget(), Qt::Key_Tab);
        QWidget* const at = dialog(window).focusWidget();
        QVERIFY(at != nullptr);
        met << at;
        order << at->objectName();
        QAccessibleInterface* const told = QAccessible::queryAccessibleInterface(at);
        QVERIFY2(told != nullptr && !told->text(QAccessible::Name).isEmpty(), qPrintable(at->objectName()));
        if (qobject_cast<QLineEdit*>(at) != nullptr) QVERIFY(!at->visibleRegion().isEmpty());
      }
      for (const char* name : {"host", "user", "Master", "cacert", "key"})
        QVERIFY2(met.contains(dialog(window).form()->field(QString::fromLatin1(name))), name);
      // As they lie below each other.
      const auto next = [&](const char* name) { return order.indexOf(QString::fromLatin1(name)); };
      QVERIFY2(next("storeWay") < next("store-host") && next("store-host") < next("store-key") &&
                   next("store-key") < next("connectionPassword"),
               qPrintable(order.join(u' ')));
      QVERIFY(met.contains(dialog(window).testButton()) && met.contains(dialog(window).button()));
    }
    Look::instance().choose(ThemeChoice::kLight);
  }
};

LEASESCOPE_SUITE(ConnectionTest)
#include "connection_test.moc"
