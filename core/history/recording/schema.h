// The form of a recording's file, its number, and how an older one becomes a newer one: README.md says what is in it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/history/recording/database.h"

namespace leasescope {

struct RecordingSchema {
  static constexpr std::int64_t kApplication = 0x4c736352;  // "LscR": SQLite's application_id of our files

  // From that version to the next one.
  struct Migration {
    std::int64_t from;
    const char* statements;
  };

  std::int64_t version;  // SQLite's user_version
  std::vector<Migration> migrations;

  // What this program writes.
  static const RecordingSchema& current();

  // Makes the tables of version 1 in a file that has none, and what was added since.
  void create(Database& database) const;
  // Whether it is a recording, and one that this program can read: else the database fails, and says which program can.
  void expect_readable(Database& database) const;
  // Whether it has a table of what was told of alerts: from form 2 on.
  static bool keeps_alerts(Database& database);
  // Brings an older one up to this version, all or nothing.
  void migrate(Database& database) const;
};

}  // namespace leasescope
