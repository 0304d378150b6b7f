// What the administrator of a test's server tells it; where that is refused the test ends.
#pragma once
#include <QtGlobal>
#include <string>

#include "core/store/redis/asker.h"

namespace leasescope::tests {

inline redis::RespValue told(redis::Asker& server, const redis::Asker::Words& words) {
  const auto answer = server.ask(words);
  if (!answer) qFatal("%s: %s", words.front().c_str(), answer.error().c_str());
  if (answer->kind == redis::RespValue::Kind::kError) qFatal("%s: %s", words.front().c_str(), answer->text.c_str());
  return *answer;
}

// Of MySQL or PostgreSQL; the text may hold several statements.
template <class Asker>
void carried_out(Asker& server, const std::string& sql) {
  const auto answer = server.ask(sql);
  if (!answer) qFatal("%s", sql.c_str());
}

}  // namespace leasescope::tests
