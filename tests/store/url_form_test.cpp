// Addresses as a form has them: what is taken apart and put together again is the same address, and every store that
// can be watched says of what fields its own is made.
#include "core/store/url_form.h"

#include <algorithm>

#include "core/store/types/types.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

struct Of {
  const StoreType* type = nullptr;
  const UrlWay* way = nullptr;
};

Of of(const std::string& text) {
  for (const StoreType* type : watched_types())
    if (const UrlWay* const way = way_of(text, type->ways)) return {type, way};
  return {};
}

UrlParts parts_of(const std::string& text) {
  const UrlWay& way = *of(text).way;
  return url_parts(text, way.scheme, way);
}

std::string again(const std::string& text) { return url_without_password(parts_of(text), *of(text).way); }

}  // namespace

class UrlFormTest : public QObject {
  Q_OBJECT
 private slots:
  void everyStoreThatCanBeWatchedSaysItsFields() {
    QVERIFY(watched_types().size() >= 5);
    for (const StoreType* type : watched_types()) {
      QVERIFY2(!type->ways.empty(), type->title.data());
      for (const UrlWay& way : type->ways) {
        QVERIFY2(std::find(type->schemes.begin(), type->schemes.end(), way.scheme) != type->schemes.end(),
                 way.scheme.data());
        QVERIFY2(way.port != 0 || way.path.size() == 1, way.scheme.data());
      }
    }
  }

  // Whatever a form can choose there is what the store's own reading takes.
  void everyOptionOfAFormIsOneOfItsUrl() {
    for (const StoreType* type : watched_types())
      for (const UrlWay& way : type->ways)
        for (const UrlOption& option : way.options) {
          UrlParts parts;
          parts.scheme = way.scheme;
          if (way.port != 0) parts.host = "localhost";
          for (const std::string_view piece : way.path)
            parts.path.emplace_back(way.port == 0 ? "/run/one.sock" : piece == "Master" ? "mine" : "0");
          for (const std::string_view choice :
               option.choices.empty() ? std::vector<std::string_view>{"1"} : option.choices) {
            parts.set_option(option.name, std::string(choice));
            const auto url = parse_store_url(url_without_password(parts, way));
            const std::string error = url ? "" : url.error();
            QVERIFY2(error.find("is not an option") == std::string::npos &&
                         error.find("is an option of") == std::string::npos &&
                         error.find("is neither on nor off") == std::string::npos,
                     error.c_str());
          }
        }
  }

  void whatIsTakenApartIsPutTogetherAgain_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"redis://h", "redis://h:7000/3", "redis://user@h:7000", "redis://[::1]:7000/0", "redis://a:1,b:2,c/1",
          "rediss://h?cacert=/etc/ca.pem&cert=/a.pem&key=/b.pem", "redis+sentinel://a:1,b/mine/2",
          "redis://h?legacy=on&lines=shared", "unix:/run/redis.sock?db=2", "unix:/run/redis.sock?user=joe",
          "postgresql://joe@h:5433/shop?sslmode=verify-full&connect_timeout=3", "mysql://joe@h/shop?ssl=on",
          "zookeeper://a:1,b:2/locks/of/mine", "etcds://h/prefix/", "postgresql:///shop?host=/run/postgresql"})
      QTest::newRow(text) << QString::fromLatin1(text);
  }
  void whatIsTakenApartIsPutTogetherAgain() {
    QFETCH(const QString, text);
    QCOMPARE(again(text.toStdString()), text.toStdString());
  }

  void aPasswordIsTakenOutWhereverItStands_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("without");
    QTest::newRow("login") << "redis://joe:zebra7@h:1/2"
                           << "redis://joe@h:1/2";
    QTest::newRow("nobody's") << "redis://:zebra7@h"
                              << "redis://h";
    QTest::newRow("option") << "postgresql://joe@h/shop?password=zebra7&sslmode=require"
                            << "postgresql://joe@h/shop?sslmode=require";
    QTest::newRow("socket") << "unix:/run/redis.sock?password=zebra7"
                            << "unix:/run/redis.sock";
    QTest::newRow("several") << "zookeeper://joe:zebra7@a:1,b:2/x"
                             << "zookeeper://joe@a:1,b:2/x";
  }
  void aPasswordIsTakenOutWhereverItStands() {
    QFETCH(const QString, text);
    QFETCH(const QString, without);
    QCOMPARE(parts_of(text.toStdString()).password, std::string("zebra7"));
    QCOMPARE(again(text.toStdString()), without.toStdString());
  }

  // What would end a part is written so that it does not.
  void signsOfAUrlInAFieldStayInIt() {
    UrlParts parts = parts_of("postgresql://h/shop");
    parts.user = "a:b@c/d?e#f%20";
    parts.path[0] = "one/two?three";
    parts.set_option("sslrootcert", "/a b/&c=d.pem");
    const std::string text = url_without_password(parts, *of("postgresql://").way);
    QCOMPARE(parts_of(text), parts);
    const auto url = parse_store_url(text);
    QVERIFY2(url.has_value(), url ? "" : url.error().c_str());
    QCOMPARE(url->user, parts.user);
    QCOMPARE(url->database, parts.path[0]);
    QCOMPARE(url->options.at("sslrootcert"), std::string("/a b/&c=d.pem"));
  }

  void anIpv6HostNeedsNoBracketsInItsField() {
    UrlParts parts = parts_of("redis://h:7000");
    parts.host = "::1";
    QCOMPARE(url_without_password(parts, *of("redis://").way), std::string("redis://[::1]:7000"));
    QCOMPARE(parts_of("redis://[::1]:7000"), [&] {
      UrlParts same = parts;
      return same;
    }());
  }
};

LEASESCOPE_SUITE(UrlFormTest)
#include "url_form_test.moc"
