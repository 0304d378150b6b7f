// A failing QCOMPARE is of use when it shows what was compared.
#include "core/history/event.h"
#include "tests/support/suite.h"

using namespace leasescope;
using namespace std::chrono_literals;

namespace {

// As QCOMPARE asks for it.
template <class T>
std::string shown_by_qt(const T& value) {
  using QTest::toString;
  const std::unique_ptr<char[]> words(toString(value));
  return words ? words.get() : "(nothing at all)";
}

enum class Wordless : std::uint8_t { kFirst, kSecond };

}  // namespace

class ShowTest : public QObject {
  Q_OBJECT
 private slots:
  void anEnumIsShownByItsWord() {
    QCOMPARE(shown_by_qt(RequestKind::kGuard), "guard");
    QCOMPARE(shown_by_qt(Ending::kUnknown), "unknown");
    QCOMPARE(shown_by_qt(EventKind::kGranted), "granted");
    QCOMPARE(shown_by_qt(Wordless::kSecond), "1");
  }
  void aTimeIsShownAsAScenarioWritesIt() {
    QCOMPARE(shown_by_qt(Duration(-1500ms)), "-1500ms");
    QCOMPARE(shown_by_qt(5s), "5s");
    QCOMPARE(shown_by_qt(TrueTime(7s)), "at 7s");
    QCOMPARE(shown_by_qt(WallTime(1ns)), "at 1ns");
  }
  void aTextIsShownQuotedAndWithoutControlCharacters() {
    QCOMPARE(shown_by_qt(std::string("a\r\n")), "\"a\\x0d\\x0a\"");
    QCOMPARE(shown_by_qt(std::string_view("b")), "\"b\"");
  }
  void whatHoldsValuesShowsThem() {
    QCOMPARE(shown_by_qt(std::optional<Ending>()), "nothing");
    QCOMPARE(shown_by_qt(std::optional(Ending::kOk)), "ok");
    QCOMPARE(shown_by_qt(std::vector{Duration(1s), Duration(2s)}), "std::vector(1s, 2s)");
    QCOMPARE(shown_by_qt(tl::expected<Duration, std::string>(3s)), "3s");
    QCOMPARE(shown_by_qt(tl::expected<Duration, std::string>(tl::make_unexpected("no"))), "error: \"no\"");
  }
};

LEASESCOPE_SUITE(ShowTest)
#include "show_test.moc"
