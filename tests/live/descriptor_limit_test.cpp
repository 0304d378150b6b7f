// How many descriptors a live run is said to take: by that it is refused before anything begins.
#include <sys/resource.h>

#include "core/store/types/types.h"
#include "simulator/live/descriptor_limit.h"
#include "tests/support/suite.h"

using namespace leasescope;

namespace {

// Of this process, while it lasts.
class Limit {
 public:
  explicit Limit(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit now{most, before_.rlim_max};
    stands_ = most <= before_.rlim_max && ::setrlimit(RLIMIT_NOFILE, &now) == 0;
  }
  ~Limit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

  bool stands() const { return stands_; }
  static rlim_t soft() {
    rlimit now{};
    ::getrlimit(RLIMIT_NOFILE, &now);
    return now.rlim_cur;
  }

 private:
  rlimit before_{};
  bool stands_ = false;
};

StoreUrl url(const char* text) { return *parse_store_url(text); }

}  // namespace

class DescriptorLimitTest : public QObject {
  Q_OBJECT

 private slots:
  void eachContenderHasTwoLinesOfItsOwn() {
    for (const char* text : {"redis", "redis://h", "redis://h?lines=own", "postgresql://h/db"})
      QCOMPARE(descriptors_for(12'000, false, url(text)) - descriptors_for(0, false, url(text)), std::size_t{24'000});
  }
  void thoseThatShareTheirLinesHaveTwoTogether() {
    for (const char* text : {"redis://h?lines=shared", "rediss://h?lines=shared", "unix:/r.sock?lines=shared"})
      QCOMPARE(descriptors_for(12'000, false, url(text)), descriptors_for(1, false, url("redis://h")));
  }
  void behindProxiesEachGoesAWayOfItsOwn() {
    QCOMPARE(descriptors_for(100, true, url("redis://h?lines=shared")), descriptors_for(100, true, url("redis://h")));
  }
  void twelveThousandAreAllowedOnSharedLinesUnderALimitThatRefusesThemOnTheirOwn() {
    const Limit limit(1000);
    QVERIFY(limit.stands());
    QVERIFY(allow_descriptors_for(12'000, false, url("redis://h?lines=shared")));
    QCOMPARE(Limit::soft(), rlim_t{1000});  // which was not even touched
    rlimit now{};
    ::getrlimit(RLIMIT_NOFILE, &now);
    const std::size_t too_many = now.rlim_max / 2;  // two each, and the rest
    const auto own = allow_descriptors_for(too_many, false, url("redis://h?lines=own"));
    QVERIFY(!own);
    QVERIFY2(own.error().find("ulimit -n") != std::string::npos, own.error().c_str());
    QVERIFY(allow_descriptors_for(too_many, false, url("redis://h?lines=shared")));
  }
};

LEASESCOPE_SUITE(DescriptorLimitTest)
#include "descriptor_limit_test.moc"
