-- Fenced locks: who has a session, who holds, who waits in which order, and what was answered to whom. Moments are µs
-- since 1970 of the database's clock.
create sequence if not exists leasescope_fence;
create table if not exists leasescope_session (
  session bigint primary key,
  mutex varchar(66) collate "C" not null,
  owner_id varchar(128) collate "C" not null,
  ttl bigint not null,
  expires bigint not null,
  version bigint not null default 1
);
create index if not exists leasescope_session_of on leasescope_session (mutex, expires);
create table if not exists leasescope_lock (
  mutex varchar(66) collate "C" primary key,
  session bigint not null default 0,
  thread bigint not null default 0,
  fence bigint not null default 0,
  held bigint not null default 0
);
create table if not exists leasescope_waiter (
  session bigint not null,
  thread bigint not null,
  mutex varchar(66) collate "C" not null,
  uid bigint not null,
  fence bigint not null,
  gives_up bigint,
  primary key (session, thread)
);
create index if not exists leasescope_waiter_of on leasescope_waiter (mutex, fence);
create table if not exists leasescope_memo (
  session bigint not null,
  thread bigint not null,
  uid bigint not null,
  acquires boolean not null,
  answer bigint not null,
  fence bigint not null,
  held bigint not null,
  primary key (session, thread, uid, acquires)
);
