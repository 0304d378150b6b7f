-- What a connection needs for calls of registers; in its own temporary schema, as the lease calls' functions.
set default_transaction_isolation = 'read committed';

-- Reads a register or, with `sets`, sets it if it still has that version (0: it was never set), and tells what it is then:
-- by a look of its own, which sees what another has written while this call waited for the row. The stamp of the
-- database's clock may be as old as that wait: it is then the lease that is shorter.
create or replace function pg_temp.leasescope_cell(
  of_mutex text, of_cell bigint, dated boolean, sets boolean, of_version bigint, caller text, to_mode bigint,
  by_clock bigint, of_token bigint, to_stamp bigint,
  out done boolean, out version bigint, out owner text, out mode bigint, out token bigint, out stamp bigint,
  out is_over boolean)
language plpgsql as $$
declare
  now_us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
  new_stamp bigint := to_stamp + case when by_clock = 1 then now_us else 0 end;
  clock bigint;
begin
  done := false;
  if sets and of_version = 0 then
    insert into leasescope_register (mutex, cell, version, owner_id, mode, stamped_by, fencing_token, stamp)
    values (of_mutex, of_cell, 1, caller, to_mode, by_clock, of_token, new_stamp) on conflict do nothing;
    done := found;
  elsif sets then
    update leasescope_register r
    set version = r.version + 1, owner_id = caller, mode = to_mode, stamped_by = by_clock, fencing_token = of_token,
        stamp = new_stamp
    where r.mutex = of_mutex and r.cell = of_cell and r.version = of_version;
    done := found;
  end if;
  select r.version, r.owner_id, r.mode, r.fencing_token, r.stamp, r.stamped_by
  into version, owner, mode, token, stamp, clock
  from leasescope_register r where r.mutex = of_mutex and r.cell = of_cell;
  if not found then
    version := 0; owner := ''; mode := 0; token := 0; stamp := 0; clock := 2;
  end if;
  is_over := false;
  if clock = 1 and mode <> 0 then
    now_us := floor(extract(epoch from clock_timestamp()) * 1000000);
    is_over := stamp <= now_us;
    if not dated then
      stamp := stamp - now_us;
    end if;
  end if;
end
$$;
