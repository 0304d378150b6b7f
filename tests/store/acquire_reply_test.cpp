#include "core/store/redis/reply.h"
#include "tests/support/suite.h"
#include "tests/support/vectors.h"

using namespace leasescope;
using namespace leasescope::redis;

namespace {

std::vector<Element> elements(const nlohmann::json& array) {
  std::vector<Element> out;
  for (const auto& item : array) {
    if (item.is_null()) {
      out.emplace_back(Nil{});
    } else if (item.is_string()) {
      out.emplace_back(item.get<std::string>());
    } else {
      out.emplace_back(item.get<std::int64_t>());
    }
  }
  return out;
}

// The words of the vectors: "transitionAt = receive time + 1500, token 7".
std::string words(const LeaseReply& reply, bool with_token) {
  std::string out = reply.has_remaining ? "transitionAt = receive time + " + std::to_string(reply.remaining_ms)
                                        : std::string("transitionAt 0");
  return with_token ? out + ", token " + std::to_string(reply.token) : out;
}

// "java.lang.IllegalStateException: Incorrect message" without the class, and without what the JVM adds about modules.
std::string message_of(const std::string& thrown) {
  const std::string message = thrown.substr(thrown.find(": ") + 2);
  return message.substr(0, message.find(" (java.lang"));
}

void check(const tests::Vector& vector, bool with_token) {
  const nlohmann::json& given = vector.given.at("reply");
  const auto parsed = given.is_array() ? parse_lease_reply(elements(given))
                                       : parse_lease_reply(std::string_view(given.get_ref<const std::string&>()));
  if (vector.then.contains("throws")) {
    QVERIFY2(!parsed, vector.describe.c_str());
    QCOMPARE(QString::fromStdString(parsed.error()),
             QString::fromStdString(message_of(vector.then.at("throws").get<std::string>())));
    return;
  }
  QVERIFY2(parsed.has_value(), vector.describe.c_str());
  QCOMPARE(QString::fromStdString(parsed->owner),
           QString::fromStdString(vector.then.at("owner_id").get<std::string>()));
  QCOMPARE(QString::fromStdString(words(*parsed, with_token)),
           QString::fromStdString(vector.then.at("lease").get<std::string>()));
}

}  // namespace

class AcquireReplyTest : public QObject {
  Q_OBJECT
 private slots:
  void arraysOfThreeAreReadAsSimba4ReadsThem() {
    const auto all = tests::vectors("acquire-reply", "4.x");
    QVERIFY(all.size() >= 10);
    for (const auto& vector : all) check(vector, true);
  }
  void stringsAreReadAsSimba3ReadsThem() {
    const auto all = tests::vectors("acquire-reply", "3.1.3");
    QVERIFY(all.size() >= 15);
    for (const auto& vector : all) check(vector, false);
  }
};

LEASESCOPE_SUITE(AcquireReplyTest)
#include "acquire_reply_test.moc"
