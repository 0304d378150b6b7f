-- A team's history, form 2: what was told of alerts, each thing once, as a recording in a file has it.
create table leasescope_history.alert (
  recording bigint not null references leasescope_history.recording on delete cascade,
  number bigint not null,
  alert bigint not null,
  what text not null,
  at_ns bigint not null,
  until_ns bigint not null,
  rule bytea not null,
  kind text not null,
  mutex bigint not null,
  words bytea not null,
  primary key (recording, number)
);
create index alert_told on leasescope_history.alert (recording, alert);

-- It is whose the other tables are, whichever member of that role has come to make it, and whoever may do something
-- with the incidents may do the same with it: nobody who reads has to be given a right anew.
do $$
declare
  given record;
begin
  execute format('alter table leasescope_history.alert owner to %s',
                 (select relowner::regrole from pg_catalog.pg_class
                  where oid = 'leasescope_history.incident'::regclass));
  for given in
    select a.privilege_type as may, a.is_grantable as hands_on,
           case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as who
    from pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
    where c.oid = 'leasescope_history.incident'::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on leasescope_history.alert to %s', given.may, given.who) ||
            case when given.hands_on then ' with grant option' else '' end;
  end loop;
end
$$;
