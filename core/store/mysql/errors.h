// The server's numbers for what can go wrong, as far as something follows from them.
#pragma once

namespace leasescope::mysql {

enum Error : unsigned {
  kRecordChanged = 1020,  // MariaDB from 11.6 on, of a row that others wrote meanwhile
  kTooManyConnections = 1040,
  kUnknownDatabase = 1049,
  kNoDatabase = 1046,
  kDatabaseDenied = 1044,
  kLoginDenied = 1045,
  kLoginDeniedWithoutPassword = 1698,
  kDuplicateRow = 1062,
  kNoSuchThread = 1094,
  kHostDenied = 1130,
  kCommandDenied = 1142,
  kNoTable = 1146,
  kLockWaitOver = 1205,
  kDeadlock = 1213,
  kReadOnlyServer = 1290,
  kReadOnlyTransaction = 1792,
  kReadOnlyStorage = 1836,
  kStatementLogOnly = 1665,
  kSecureTransportOnly = 3159,  // of MySQL; MariaDB denies the login
};

}  // namespace leasescope::mysql
