// Refused writes that share a plate are found without looking at each: where every write has a pixel of its own they
// are what a walk over all of them finds.
#include <map>
#include <random>

#include "tests/support/ui_suite.h"
#include "tests/ui/painted_chart.h"

using namespace leasescope;
using namespace leasescope::tests;

namespace {

constexpr int kPlate = 200, kMark = 14;  // px

// Each joins the last plate of its fate and term if that is near, else its fate's last one if a mark of its own has no
// room; over everything that went wrong without a gap as long as a plate, in view or reaching into it.
std::vector<Refusals> walked(const Scene& scene, const ResourceRow& resource) {
  struct Last {
    std::size_t plate = 0;
    std::int64_t at = INT64_MIN / 2;
  };
  const auto pixel = [&](std::size_t k) { return scene.viewport.pixel(resource.writes[resource.wrong[k]].at); };
  const std::size_t all_wrong = resource.wrong.size();
  std::size_t begin = 0;
  for (std::size_t k = 1; k <= all_wrong; ++k) {
    const std::int64_t next = k < all_wrong ? std::min<std::int64_t>(pixel(k), 0) : 0;
    if (pixel(k - 1) < 0 && next - pixel(k - 1) > kPlate) begin = k;
  }
  std::vector<Refusals> found;
  std::map<std::pair<WriteFate, Token>, std::size_t> of_term;
  std::map<WriteFate, Last> last_of;
  std::int64_t near = scene.viewport.width;
  for (std::size_t k = begin; k < all_wrong && pixel(k) <= near + kPlate; ++k) {
    const WriteMark& write = resource.writes[resource.wrong[k]];
    near = std::max(near, pixel(k));
    Last& last = last_of[write.fate()];
    const auto known = of_term.find({write.fate(), write.token});
    std::size_t mine = found.size();
    if (known != of_term.end() &&
        pixel(k) - scene.viewport.pixel(resource.writes[found[known->second].last].at) <= kPlate)
      mine = known->second;
    else if (pixel(k) - last.at < kMark)
      mine = last.plate;
    if (mine == found.size()) found.push_back({write.fate(), resource.wrong[k], resource.wrong[k], 0, true});
    Refusals& all = found[mine];
    const WriteMark& first = resource.writes[all.first];
    all.last = resource.wrong[k];
    ++all.count;
    all.one_height = all.one_height && write.token == first.token && write.highest == first.highest;
    of_term[{write.fate(), write.token}] = mine;
    last = {mine, pixel(k)};
  }
  return found;
}

QString text(const std::vector<Refusals>& all) {
  QString out;
  for (const Refusals& each : all)
    out += QStringLiteral("%1 %2..%3 %4x %5; ")
               .arg(static_cast<int>(each.fate))
               .arg(each.first)
               .arg(each.last)
               .arg(each.count)
               .arg(each.one_height);
  return out;
}

// For some hundred writes, of few terms and all fates: close to each other, or some plates apart.
History some_writes(std::mt19937_64& random) {
  HistoryWriter w;
  std::int64_t at = 1'000;
  for (int i = 0; i < 300; ++i) {
    at += random() % 20 == 0 ? 1'000 + static_cast<std::int64_t>(random() % 40'000)
                             : 100 + static_cast<std::int64_t>(random() % (random() % 4 == 0 ? 4'000 : 300));
    const auto token = static_cast<Token>(random() % 8 == 0 ? 0 : 30 + random() % 3);
    const auto seen = static_cast<std::int64_t>(random() % 10 == 0 ? 41 : 40);
    const EventKind kind = random() % 5 == 0   ? EventKind::kWriteAccepted
                           : random() % 4 == 0 ? EventKind::kWriteStaleAccepted
                                               : EventKind::kWriteRejected;
    w.add(at, w.a, kind, token, w.ledger.handle, seen);
  }
  w.history.now = at_ms(at + 1'000);
  return w.history;
}

}  // namespace

class RefusalsTest : public UiSuite {
  Q_OBJECT
 private slots:
  void thoseThatShareAPlateAreWhatAWalkOverAllOfThemFinds() {
    std::mt19937_64 random(13);
    std::size_t plates = 0, several = 0;
    for (int i = 0; i < 60; ++i) {
      const PaintedChart chart(some_writes(random));
      const auto end = static_cast<std::uint64_t>(chart.data.now().time_since_epoch() / std::chrono::milliseconds(1));
      for (int look = 0; look < 20; ++look) {
        const auto from = static_cast<std::int64_t>(random() % end);
        const Scene scene =
            chart.scene(at_ms(from), at_ms(from + 20'000 + static_cast<std::int64_t>(random() % 40'000)));
        const ResourceRow& resource = chart.data.resources().front();
        const std::vector<Refusals> found = refusals_of(scene, resource);
        QVERIFY(scene.time_of(1) <= std::chrono::milliseconds(100));
        QCOMPARE(text(found), text(walked(scene, resource)));
        plates += found.size();
        for (const Refusals& each : found) several += each.count > 1;
      }
    }
    QVERIFY2(plates > 10'000 && several > 3'000, qPrintable(QStringLiteral("%1, %2").arg(plates).arg(several)));
  }
};

LEASESCOPE_SUITE(RefusalsTest)
#include "refusals_test.moc"
