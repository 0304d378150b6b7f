-- What a connection needs for lease calls. The functions live in the connection's own temporary schema: nothing is left
-- behind, and two versions of Leasescope never share one. Each call is one message to the server, so that a client that
-- stops in between holds no row lock.
set default_transaction_isolation = 'read committed';

-- Takes the lease if it is free or the caller's own; with `only_renew` it is never taken anew.
create or replace function pg_temp.leasescope_contend(
  of_mutex text, caller text, ttl_ms bigint, lease_ms bigint, channel text, only_renew boolean,
  out owner text, out remaining bigint, out token bigint)
language plpgsql as $$
declare
  held simba_mutex%rowtype;
  now_ms bigint;
  own boolean;
begin
  if not only_renew then
    insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version, fencing_token)
    values (of_mutex, 0, 0, 0, '', 0, 0) on conflict do nothing;
  end if;
  select * into held from simba_mutex m where m.mutex = of_mutex for update;
  -- Only now: the wait for the row must not be taken from the lease, and now() would be the transaction's start.
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  own := held.owner_id = caller and held.transition_at > now_ms;
  -- At transition_at itself nobody can: neither the owner nor anybody else.
  if own or (not only_renew and held.transition_at < now_ms) then
    token := held.fencing_token + case when own then 0 else 1 end;
    update simba_mutex m
    set acquired_at = now_ms, ttl_at = now_ms + ttl_ms, transition_at = now_ms + lease_ms,
        owner_id = caller, version = m.version + 1, fencing_token = token
    where m.mutex = of_mutex;
    if not own then
      perform pg_notify(channel, 'acquired@@' || caller);
    end if;
    owner := caller;
    remaining := lease_ms;
  elsif held.transition_at >= now_ms and held.owner_id <> caller and held.owner_id <> '' then
    owner := held.owner_id;
    remaining := held.transition_at - now_ms;
    token := held.fencing_token;
  else
    owner := '';
    remaining := 0;
    token := 0;
  end if;
end
$$;

-- Gives the lease back if the caller holds it, and tells everybody. The fencing token stays.
create or replace function pg_temp.leasescope_release(
  of_mutex text, caller text, channel text, out released boolean)
language plpgsql as $$
begin
  update simba_mutex m
  set acquired_at = 0, ttl_at = 0, transition_at = 0, owner_id = '', version = m.version + 1
  where m.mutex = of_mutex and m.owner_id = caller;
  released := found;
  if released then
    perform pg_notify(channel, 'released@@' || caller);
  end if;
end
$$;
