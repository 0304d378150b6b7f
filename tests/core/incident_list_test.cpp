// The list of incidents: copies that share what has not changed, and what is over and old is let go of.
#include "core/history/incident_list.h"

#include <stdexcept>

#include "tests/support/suite.h"

using namespace leasescope;

namespace {

Incident incident(std::size_t number, bool open = false) {
  Incident out;
  out.kind = IncidentKind::kStorm;
  out.start = out.end = TrueTime(Duration(static_cast<std::int64_t>(number)));
  out.open = open;
  out.cause = "the incident of the number " + std::to_string(number);
  return out;
}

IncidentList list_of(std::size_t count) {
  IncidentList out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(incident(i));
  return out;
}

// Their numbers, by their moments.
std::vector<std::size_t> held(const IncidentList& list) {
  std::vector<std::size_t> out;
  for (const Incident& each : list) out.push_back(static_cast<std::size_t>(each.start.time_since_epoch().count()));
  return out;
}

std::vector<std::size_t> numbers(std::size_t from, std::size_t to) {
  std::vector<std::size_t> out;
  for (; from < to; ++from) out.push_back(from);
  return out;
}

std::vector<std::size_t> joined(std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bool throws(const IncidentList& list, std::size_t number) {
  try {
    static_cast<void>(list.at(number));
    return false;
  } catch (const std::out_of_range&) {
    return true;
  }
}

// So many lie in a piece.
const std::size_t kPiece = list_of(1'000).end_of_piece(0);

}  // namespace

class IncidentListTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsOldIsForgottenInWholePieces() {
    IncidentList list = list_of(5 * kPiece + 3);
    list.forget(3 * kPiece - 1, list);
    QCOMPARE(list.size(), 5 * kPiece + 3);
    QCOMPARE(held(list), numbers(2 * kPiece, 5 * kPiece + 3));
    QVERIFY(!list.holds(2 * kPiece - 1) && list.holds(2 * kPiece));
    QVERIFY(list.holds(list.size() - 1) && !list.holds(list.size()) && !list.holds(SIZE_MAX));
    QVERIFY(throws(list, 0) && throws(list, 2 * kPiece - 1) && throws(list, list.size()));
    QCOMPARE(list.at(2 * kPiece).cause, incident(2 * kPiece).cause);
    QCOMPARE(list[4 * kPiece].cause, incident(4 * kPiece).cause);
    QCOMPARE(list.front().cause, incident(2 * kPiece).cause);
    QCOMPARE(list.back().cause, incident(5 * kPiece + 2).cause);
    list.forget(kPiece, list);  // which is less than there was
    QCOMPARE(held(list), numbers(2 * kPiece, 5 * kPiece + 3));
  }

  void whatIsForgottenGivesItsMemoryBack() {
    IncidentList list = list_of(100 * kPiece);
    const std::size_t all = list.bytes_beside({});
    list.forget(99 * kPiece, list);
    QVERIFY(list.bytes_beside({}) < all / 10);
  }

  void whatComesLaterHasTheNextNumber() {
    IncidentList list = list_of(3 * kPiece);
    list.forget(3 * kPiece, list);
    QCOMPARE(held(list), numbers(0, 0));
    QVERIFY(list.begin() == list.end() && !list.empty());
    QCOMPARE(list.held_from(0), 3 * kPiece);
    for (std::size_t i = 3 * kPiece; i < 4 * kPiece + 2; ++i) list.push_back(incident(i));
    QCOMPARE(held(list), numbers(3 * kPiece, 4 * kPiece + 2));
    list.edit(3 * kPiece).cause = "changed";
    QCOMPARE(list[3 * kPiece].cause, std::string("changed"));
    QCOMPARE(list.end_of_piece(3 * kPiece), 4 * kPiece);
    QCOMPARE(list.end_of_piece(4 * kPiece), 4 * kPiece + 2);
  }

  void anOpenOneKeepsItsPieceUntilItIsOver() {
    IncidentList list = list_of(6 * kPiece);
    list.edit(kPiece + 5).open = true;
    list.edit(3 * kPiece).open = true;
    list.forget(5 * kPiece, list);
    QCOMPARE(held(list), joined(joined(numbers(kPiece, 2 * kPiece), numbers(3 * kPiece, 4 * kPiece)),
                                numbers(5 * kPiece, 6 * kPiece)));
    QCOMPARE(list.held_from(0), kPiece);
    QCOMPARE(list.held_from(kPiece + 5), kPiece + 5);
    QCOMPARE(list.held_from(2 * kPiece), 3 * kPiece);
    QCOMPARE(list.held_from(4 * kPiece + 1), 5 * kPiece);
    QVERIFY(throws(list, 2 * kPiece) && throws(list, 4 * kPiece));
    QVERIFY(list.at(kPiece + 5).open);
    list.edit(kPiece + 5).open = false;
    list.forget(5 * kPiece, list);
    QCOMPARE(held(list), joined(numbers(3 * kPiece, 4 * kPiece), numbers(5 * kPiece, 6 * kPiece)));
  }

  void whatNobodyHasTakenStays() {
    IncidentList list = list_of(2 * kPiece + 1);
    IncidentList taken = list;
    list.edit(3).cause = "changed since";
    for (std::size_t i = list.size(); i < 5 * kPiece; ++i) list.push_back(incident(i));
    list.forget(4 * kPiece, taken);
    QCOMPARE(held(list), joined(numbers(0, kPiece), numbers(2 * kPiece, 5 * kPiece)));
    QCOMPARE(list[3].cause, std::string("changed since"));
    taken = list;
    list.forget(4 * kPiece, taken);
    QCOMPARE(held(list), numbers(4 * kPiece, 5 * kPiece));
    QCOMPARE(held(taken), joined(numbers(0, kPiece), numbers(2 * kPiece, 5 * kPiece)));
    IncidentList none = list_of(2 * kPiece);
    none.forget(2 * kPiece, {});
    QCOMPARE(held(none), numbers(0, 2 * kPiece));
  }

  void aCopyKeepsWhatItHas() {
    IncidentList list = list_of(4 * kPiece);
    list.edit(0).open = true;
    const IncidentList before = list;
    list.forget(3 * kPiece, before);
    QCOMPARE(held(before), numbers(0, 4 * kPiece));
    IncidentList after = list;
    after.edit(1).cause = "changed in the copy";
    QCOMPARE(list[1].cause, incident(1).cause);
    QVERIFY(!list.shares_piece(0, after) && list.shares_piece(0, before));
    QVERIFY(!before.shares_piece(kPiece, list) && !list.shares_piece(kPiece, before));
    QVERIFY(list.shares_piece(kPiece, after));  // both have forgotten it
    QVERIFY(list.shares_piece(3 * kPiece, before) && list.shares_piece(3 * kPiece, after));
    const IncidentList moved = std::move(after);
    QCOMPARE(held(moved), joined(numbers(0, kPiece), numbers(3 * kPiece, 4 * kPiece)));
  }

  void onlyWhatIsNotSharedTakesMemoryBesideACopy() {
    IncidentList list = list_of(10 * kPiece);
    list.edit(0).open = true;
    list.forget(8 * kPiece, list);
    IncidentList copy = list;
    const std::size_t shared = copy.bytes_beside(list), alone = copy.bytes_beside({});
    QVERIFY(alone > shared + 3 * kPiece * sizeof(Incident));
    copy.edit(0).open = false;  // of the piece that stayed
    const std::size_t changed = copy.bytes_beside(list);
    QVERIFY(changed >= shared + kPiece * sizeof(Incident) && changed < alone);
  }
};

LEASESCOPE_SUITE(IncidentListTest)
#include "incident_list_test.moc"
