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

// By then Qt has words of its own for times, texts and optionals, and asks for no others.
constexpr bool kQtHasWords = QT_VERSION >= QT_VERSION_CHECK(6, 8, 0);

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
    QCOMPARE(shown_by_qt(Duration(-1500ms)), kQtHasWords ? "-1500000000ns (-1.5s)" : "-1500ms");
    QCOMPARE(shown_by_qt(TrueTime(7s)), "at 7s");
    QCOMPARE(shown_by_qt(WallTime(1ns)), "at 1ns");
  }
  void aTextIsShownQuotedAndWithoutControlCharacters() {
    QCOMPARE(shown_by_qt(std::string("a\r\n")), kQtHasWords ? "\"a\\r\\n\"" : "\"a\\x0d\\x0a\"");
    QCOMPARE(shown_by_qt(std::string_view("b")), "\"b\"");
  }
  void whatHoldsValuesShowsThem() {
    QCOMPARE(shown_by_qt(std::optional<Ending>()), kQtHasWords ? "nullopt" : "nothing");
    QCOMPARE(shown_by_qt(std::optional(Ending::kOk)), kQtHasWords ? "std::optional(ok)" : "ok");
    QCOMPARE(shown_by_qt(std::vector{RequestKind::kGuard}), "std::vector(guard)");
    QCOMPARE(shown_by_qt(tl::expected<Ending, std::string>(Ending::kOk)), "ok");
    QCOMPARE(shown_by_qt(tl::expected<Ending, std::string>(tl::make_unexpected("no"))), "error: \"no\"");
  }
};

LEASESCOPE_SUITE(ShowTest)
#include "show_test.moc"
