-- The registers of leases by compare-and-set: one row each, that is there once it was set. mode: 0 free, 1 claimed,
-- 2 held, 3 shared. stamped_by: whose clock the lease ends by, and what the stamp is: 0 its writer's, 1 the database's,
-- a deadline in µs since 1970; 2 nobody's, the length of the lease in µs.
create table if not exists leasescope_register (
  mutex varchar(66) collate "C" not null,
  cell bigint not null,
  version bigint not null,
  owner_id varchar(128) collate "C" not null default '',
  mode bigint not null default 0,
  stamped_by bigint not null default 2,
  fencing_token bigint not null default 0,
  stamp bigint not null default 0,
  primary key (mutex, cell)
);
