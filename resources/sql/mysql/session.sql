-- What a connection is told before it serves lease calls. UTC: the clock's expression is off by an hour around the end of
-- summer time in a session that observes it. One rule for texts, whatever the server's is. A short wait for a row, in
-- whole seconds, and a session that may be silent for as long as a lease lasts.
set session time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES', autocommit = 1,
  innodb_lock_wait_timeout = {lock_wait_s}, wait_timeout = 28800;
set session transaction isolation level read committed
