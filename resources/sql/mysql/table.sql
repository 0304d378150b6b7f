-- The table of Simba's JDBC backend: times are epoch milliseconds of the database's clock. Names and ids are compared
-- byte by byte, and rows can be locked, whatever the server's defaults are.
create table if not exists simba_mutex (
  mutex varchar(66) character set utf8mb4 collate utf8mb4_bin not null primary key comment 'mutex name',
  acquired_at bigint unsigned not null,
  ttl_at bigint unsigned not null,
  transition_at bigint unsigned not null,
  owner_id varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  version int unsigned not null,
  fencing_token bigint unsigned not null default 0
) engine = InnoDB
