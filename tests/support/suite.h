// A test file: a QObject whose private slots are sentences, then LEASESCOPE_SUITE(Type) and its moc file.
//   class FooTest : public QObject { Q_OBJECT private slots: void aThingHolds(); };
//   LEASESCOPE_SUITE(FooTest)
//   #include "foo_test.moc"
#pragma once
#include <memory>
#include <string>
#include <vector>

#include <QObject>
#include <QString>
#include <QTest>

#include "tests/support/show.h"

namespace leasescope::tests {

struct Suite {
  std::string file;  // foo_test.cpp is "foo": the name ctest uses
  std::string type;  // FooTest
  std::unique_ptr<QObject> (*make)();
};

std::vector<Suite>& suites();
bool add_suite(const char* path, const char* type, std::unique_ptr<QObject> (*make)());

}  // namespace leasescope::tests

#define LEASESCOPE_SUITE(Type)                                                   \
  [[maybe_unused]] static const bool Type##Added = leasescope::tests::add_suite( \
      __FILE__, #Type, []() -> std::unique_ptr<QObject> { return std::make_unique<Type>(); });
