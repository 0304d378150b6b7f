// Passwords that are to be remembered: in the keyring, asked from it at the next start, and nowhere else.
#include <QFile>
#include <QSettings>

#include "core/store/redis/store_type.h"
#include "simulator/live/private_server.h"
#include "tests/support/passwords_in_memory.h"
#include "tests/support/redis_program.h"
#include "tests/support/window_suite.h"
#include "tests/ui/window_watch.h"
#include "ui/models/words.h"
#include "ui/watch/stores_panel.h"
#include "ui/watch/watch_perspective.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

const QString kSecret = QStringLiteral("s3cret-of-the-keyring");

}  // namespace

class KeptPasswordsTest : public WindowSuite {
  Q_OBJECT

  std::unique_ptr<PrivateServer> server_;
  QString address_;  // without its password
  std::shared_ptr<Keyring> keyring_;

  // As it is at the next start, with the same keyring.
  StoresPanel& start(TestWindow& window) {
    show(window);
    window.restore();
    StoresPanel& stores = *watch(window).stores();
    stores.kept().keepIn(std::make_unique<PasswordsInMemory>(keyring_));
    window.turnTo(watch(window));
    return stores;
  }
  QString withPassword() const {
    return address_ + (address_.contains(u'?') ? u'&' : u'?') + QStringLiteral("password=") + kSecret;
  }
  void watchAndKeep() {
    TestWindow window;
    StoresPanel& stores = start(window);
    stores.keep()->setChecked(true);
    QVERIFY2(stores.add(address_, kSecret), qPrintable(stores.error()));
    QTRY_COMPARE(keyring_->passwords.value(address_), kSecret);
    window.close();
  }
  static QString written() {
    QSettings settings;
    settings.sync();
    QFile file(settings.fileName());
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
  static bool sees(TestWindow& window) {
    const Watch* const seen = watch(window).watched().watch();
    return seen != nullptr && seen->complete();
  }

 private slots:
  void initTestCase() {
    WindowSuite::initTestCase();
    QVERIFY2(!redis_client_program().isEmpty(), kNoRedis);
    PrivateServerOptions options;
    options.password = kSecret.toStdString();
    server_ = std::make_unique<PrivateServer>(redis::store_type(), options);
    QVERIFY(server_->start().has_value());
    StoreUrl bare = server_->url();
    bare.password.clear();
    address_ = fromText(printable(bare));
  }
  void cleanupTestCase() { server_.reset(); }
  void init() {
    UiSuite::init();
    QSettings().clear();
    keyring_ = std::make_shared<Keyring>();
  }

  void whatIsKeptIsAskedFromTheKeyringAtTheNextStart() {
    watchAndKeep();
    if (QTest::currentTestFailed()) return;
    QVERIFY(written().contains(QStringLiteral("kept=")));
    QVERIFY(!written().contains(kSecret));
    QCOMPARE(keyring_->asked, 0);
    TestWindow window;
    StoresPanel& stores = start(window);
    QCOMPARE(stores.known(), QStringList{address_});
    QVERIFY(stores.add(address_));
    QVERIFY(stores.keep()->isChecked());  // as it was
    QTRY_VERIFY_WITH_TIMEOUT(sees(window), kSeen);
    QCOMPARE(keyring_->asked, 1);
    QVERIFY(stores.note().isEmpty());
    QVERIFY(stores.field()->text().isEmpty());
  }

  void ofAnAddressWithItsPasswordTheRestIsRemembered() {
    {
      TestWindow window;
      StoresPanel& stores = start(window);
      stores.keep()->setChecked(true);
      QVERIFY2(stores.add(withPassword()), qPrintable(stores.error()));
      QTRY_COMPARE(keyring_->passwords.value(address_), kSecret);
      QCOMPARE(stores.known(), QStringList{address_});
      window.close();
    }
    QVERIFY(!written().contains(kSecret));
  }

  void whatTheServerRefusesIsNotKept() {
    TestWindow window;
    StoresPanel& stores = start(window);
    stores.keep()->setChecked(true);
    QVERIFY2(stores.add(address_, QStringLiteral("mistyped")), qPrintable(stores.error()));
    QTRY_VERIFY(!watch(window).watched().watch()->stores()[0]->why.empty());
    // What happened, and what to do, where the window says it.
    std::size_t count = 0;
    const auto told = watch(window).watched().alerts(1, &count);
    QCOMPARE(told.size(), std::size_t{1});
    QVERIFY2(told[0].words.contains(QStringLiteral("WRONGPASS")) &&
                 told[0].words.endsWith(QStringLiteral(": the user or the password is wrong")) &&
                 told[0].words.startsWith(address_) && !told[0].words.contains(QStringLiteral("mistyped")),
             qPrintable(told[0].words));
    QTest::qWait(300);
    QVERIFY(keyring_->passwords.isEmpty());
    window.close();
    QVERIFY(!written().contains(QStringLiteral("kept=")) || written().contains(QStringLiteral("kept=@Invalid()")));
  }

  void withoutTheTickNothingIsKeptAndNobodyIsAsked() {
    TestWindow window;
    StoresPanel& stores = start(window);
    QVERIFY(stores.add(address_, kSecret));
    QTRY_VERIFY_WITH_TIMEOUT(sees(window), kSeen);
    QVERIFY(keyring_->passwords.isEmpty());
    QCOMPARE(keyring_->asked, 0);
  }

  // One line says why, and the password is typed.
  void withoutAKeyringItIsAskedFor() {
    watchAndKeep();
    if (QTest::currentTestFailed()) return;
    keyring_->away = QStringLiteral("no secret service is running");
    TestWindow window;
    StoresPanel& stores = start(window);
    QVERIFY(stores.add(address_));
    QTRY_VERIFY(!stores.error().isEmpty());
    QCOMPARE(stores.error(),
             QString("The system's keyring cannot be used (no secret service is running): type the password here."));
    QCOMPARE(stores.field()->text(), address_);
    QTRY_VERIFY(stores.password()->hasFocus());
    QVERIFY(watch(window).watched().watch() == nullptr);
    QTest::keyClicks(stores.password(), kSecret);
    QTest::keyClick(stores.password(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(sees(window), kSeen);
    QTRY_VERIFY2(stores.note().startsWith("The password was not kept: the system's keyring cannot be used"),
                 qPrintable(stores.note()));
    QVERIFY(!stores.note().contains(kSecret));
    window.close();
    QVERIFY(!written().contains(kSecret));
  }

  // Who has to unlock it first may as well type the password; what it tells later is of no use any more.
  void aKeyringThatDoesNotAnswerHoldsNothingUp() {
    watchAndKeep();
    if (QTest::currentTestFailed()) return;
    keyring_->answers = false;
    TestWindow window;
    StoresPanel& stores = start(window);
    QVERIFY(stores.add(address_));
    QVERIFY(stores.note().contains("is asked for the password"));
    QTest::qWait(100);
    QVERIFY(watch(window).watched().watch() == nullptr);
    QVERIFY(stores.add(address_, kSecret));
    QTRY_VERIFY_WITH_TIMEOUT(sees(window), kSeen);
    QVERIFY(stores.error().isEmpty());
  }

  void withTheTickTakenAwayItIsForgotten() {
    watchAndKeep();
    if (QTest::currentTestFailed()) return;
    {
      TestWindow window;
      StoresPanel& stores = start(window);
      stores.field()->setText(address_);
      QVERIFY(stores.keep()->isChecked());
      stores.keep()->setChecked(false);
      stores.password()->setText(kSecret);
      QTest::keyClick(stores.password(), Qt::Key_Return);
      QTRY_VERIFY(keyring_->passwords.isEmpty());
      window.close();
    }
    TestWindow window;
    StoresPanel& stores = start(window);
    stores.field()->setText(address_);
    QVERIFY(!stores.keep()->isChecked());
  }
};

LEASESCOPE_SUITE(KeptPasswordsTest)
#include "kept_passwords_test.moc"
