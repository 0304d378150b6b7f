#include "core/base/name.h"

#include <memory>
#include <string>
#include <utility>

#include "tests/support/suite.h"

using namespace leasescope;

class NameTest : public QObject {
  Q_OBJECT
 private slots:
  void equalTextsAreOneName();
  void theEmptyNameIsTheDefault();
  void hashesDependOnTheTextAlone();
  void copiesAreApart();
  void aTextStaysWhereItIs();
};

void NameTest::equalTextsAreOneName() {
  NameTable names;
  const Name a = names.intern("orders");
  QCOMPARE(names.intern("orders"), a);
  QVERIFY(names.intern("Orders") != a);
  QCOMPARE(names.text(a), std::string_view("orders"));
}

void NameTest::theEmptyNameIsTheDefault() {
  NameTable names;
  QCOMPARE(names.intern(""), Name{});
  QVERIFY(Name{}.empty());
  QVERIFY(!names.intern("a").empty());
}

void NameTest::hashesDependOnTheTextAlone() {
  NameTable one, two;
  two.intern("first");
  const Name a = one.intern("orders"), b = two.intern("orders");
  QVERIFY(a != b);
  QCOMPARE(one.text_hash(a), two.text_hash(b));
}

void NameTest::copiesAreApart() {
  NameTable names;
  names.intern("a");
  NameTable copy = names;
  copy.intern("b");
  QCOMPARE(names.size(), std::size_t{2});
  QCOMPARE(copy.size(), std::size_t{3});
}

// However many come, of whatever length; a copy has them under the same handles, wherever what it was made of went.
void NameTest::aTextStaysWhereItIs() {
  const auto called = [](std::uint32_t i) {
    return "o" + std::to_string(i) + std::string(i % 1000 == 0 ? 100'000 : i % 40, 'x');
  };
  constexpr std::uint32_t kNames = 20'000;
  auto names = std::make_unique<NameTable>();
  const std::string_view first = names->text(names->intern(called(1)));
  for (std::uint32_t i = 1; i <= kNames; ++i) QCOMPARE(names->intern(called(i)).handle, i);
  for (std::uint32_t i = 1; i <= kNames; ++i) QCOMPARE(names->intern(called(i)).handle, i);
  QCOMPARE(first, std::string_view(called(1)));
  QVERIFY(names->text(Name{1}).data() == first.data());
  NameTable copy = *names;
  const NameTable moved = std::move(*names);
  QVERIFY(moved.text(Name{1}).data() == first.data());
  names.reset();
  QCOMPARE(copy.intern("another").handle, kNames + 1);
  for (std::uint32_t i = 1; i <= kNames; ++i) QCOMPARE(copy.text(Name{i}), std::string_view(called(i)));
  // A part of a text that lies in it.
  const Name part = copy.intern(copy.text(Name{kNames + 1}).substr(2));
  QCOMPARE(copy.text(part), std::string_view("other"));
  QVERIFY(copy.bytes() > moved.bytes() / 2 && copy.bytes() < 10'000'000);
}

LEASESCOPE_SUITE(NameTest)
#include "name_test.moc"
