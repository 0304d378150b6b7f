-- A team's history, form 1; core/history/team/README.md says what is in it. Whoever runs this has made the schema.
-- Bytes where somebody else's names may stand, which need not be UTF-8.
create table leasescope_history.form (number integer not null, program text not null);
insert into leasescope_history.form values (0, '');

create table leasescope_history.recording (
  id bigint generated always as identity primary key,
  observer text not null,
  name_lock bigint not null,
  began timestamptz not null default clock_timestamp(),
  batch bigint not null default 0,
  events bigint not null default 0,
  mutexes bigint not null default 0,
  epoch_ns bigint,
  now_ns bigint not null default 0,
  names_sum bigint not null default 0,
  ended boolean not null default false
);
create index recording_observer on leasescope_history.recording (observer, epoch_ns);

create table leasescope_history.fact (
  recording bigint not null references leasescope_history.recording on delete cascade,
  key text not null,
  number bigint,
  text bytea,
  primary key (recording, key)
);
create table leasescope_history.word (
  recording bigint not null references leasescope_history.recording on delete cascade,
  kind integer not null,
  detail integer not null,
  word text not null,
  primary key (recording, kind, detail)
);
create table leasescope_history.name (
  recording bigint not null references leasescope_history.recording on delete cascade,
  handle bigint not null,
  text bytea not null,
  primary key (recording, handle)
);
create table leasescope_history.mutex (
  recording bigint not null references leasescope_history.recording on delete cascade,
  handle bigint not null,
  met_ns bigint not null,
  title bytea not null,
  name bytea not null,
  primary key (recording, handle)
);
create index mutex_title on leasescope_history.mutex (md5(title));
create index mutex_name on leasescope_history.mutex (md5(name));
create table leasescope_history.incident (
  recording bigint not null references leasescope_history.recording on delete cascade,
  number bigint not null,
  kind text not null,
  mutex bigint not null,
  start_ns bigint not null,
  end_ns bigint not null,
  open boolean not null,
  cause bytea not null,
  contenders bigint[] not null,
  tokens bigint[] not null,
  primary key (recording, number)
);
create table leasescope_history.summary (
  recording bigint not null references leasescope_history.recording on delete cascade,
  field text not null,
  value bigint not null,
  primary key (recording, field)
);

-- Days since 1970 that block and term have a partition of. Old ones go as a whole.
create table leasescope_history.day (day integer primary key);
create table leasescope_history.block (
  recording bigint not null,
  day integer not null,
  first bigint not null,
  last bigint not null,
  from_ns bigint not null,
  to_ns bigint not null,
  sum bigint not null,
  events bytea not null,
  primary key (recording, first, day)
) partition by list (day);
create table leasescope_history.term (
  recording bigint not null,
  day integer not null,
  mutex bigint not null,
  observed boolean not null,
  number bigint not null,
  owner bigint not null,
  token bigint not null,
  begin_lo bigint not null,
  begin_hi bigint not null,
  end_lo bigint not null,
  end_hi bigint not null,
  ended text not null,
  begin_least bigint not null,
  before_until bigint not null,
  primary key (recording, day, mutex, observed, number)
) partition by list (day);
create index term_moment on leasescope_history.term (recording, mutex, observed, begin_least, number);
