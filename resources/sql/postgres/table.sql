-- The table of Simba's JDBC backend in PostgreSQL's words: times are epoch milliseconds of the database's clock.
create table if not exists simba_mutex (
  mutex varchar(66) collate "C" primary key,
  acquired_at bigint not null,
  ttl_at bigint not null,
  transition_at bigint not null,
  owner_id varchar(128) collate "C" not null default '',
  version bigint not null default 0,
  fencing_token bigint not null default 0
);
