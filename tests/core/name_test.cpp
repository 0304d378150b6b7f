#include "core/base/name.h"

#include "tests/support/suite.h"

using namespace leasescope;

class NameTest : public QObject {
  Q_OBJECT
 private slots:
  void equalTextsAreOneName();
  void theEmptyNameIsTheDefault();
  void hashesDependOnTheTextAlone();
  void copiesAreApart();
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

LEASESCOPE_SUITE(NameTest)
#include "name_test.moc"
