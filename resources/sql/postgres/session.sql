-- What a connection needs for lease calls. The function lives in the connection's own temporary schema: nothing is left
-- behind, and two versions of Leasescope never share one. Each call is one message to the server, so that a client that
-- stops in between holds no row lock.
set default_transaction_isolation = 'read committed';

-- Takes the lease if it is free; with `only_renew` it is never taken anew. A term is owner and token: on the caller's own
-- lease an acquire begins a new term for the rest of it, and a renewal names the term that it means, and is refused for
-- another. Not `by_term` it is as Simba 4.x: the owner's id alone counts, and an acquire on one's own lease renews it.
create or replace function pg_temp.leasescope_contend(
  of_mutex text, caller text, ttl_ms bigint, lease_ms bigint, channel text, only_renew boolean, by_term boolean,
  term bigint, out owner text, out remaining bigint, out token bigint, out done boolean)
language plpgsql as $$
declare
  held simba_mutex%rowtype;
  now_ms bigint;
  own boolean;
  renews boolean;
begin
  if not only_renew then
    insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version, fencing_token)
    values (of_mutex, 0, 0, 0, '', 0, 0) on conflict do nothing;
  end if;
  select * into held from simba_mutex m where m.mutex = of_mutex for update;
  if by_term and held.fencing_token < 0 then
    raise exception 'the fencing token of % is broken: expected a whole number from 0 on', of_mutex;
  end if;
  -- Only now: the wait for the row must not be taken from the lease, and now() would be the transaction's start.
  now_ms := floor(extract(epoch from clock_timestamp()) * 1000);
  own := held.owner_id = caller and held.transition_at > now_ms;
  -- At transition_at itself nobody can: neither the owner nor anybody else.
  done := case when only_renew then own and (not by_term or held.fencing_token = term)
               else own or held.transition_at < now_ms end;
  if done or of_mutex = '' then
    renews := own and (only_renew or not by_term);
    token := held.fencing_token + case when renews then 0 else 1 end;
    remaining := case when own and not renews then held.transition_at - now_ms else lease_ms end;
    update simba_mutex m
    set acquired_at = now_ms, ttl_at = now_ms + remaining - (lease_ms - ttl_ms), transition_at = now_ms + remaining,
        owner_id = caller, version = m.version + 1, fencing_token = token
    where m.mutex = of_mutex;
    perform pg_notify(channel, 'acquired@@' || caller) where not renews;
    owner := caller;
  elsif held.transition_at >= now_ms and held.owner_id <> '' and (held.owner_id <> caller or (own and by_term)) then
    owner := held.owner_id;
    remaining := held.transition_at - now_ms;
    token := held.fencing_token;
  else
    owner := '';
    remaining := 0;
    token := 0;
  end if;
  done := coalesce(done, false);
end
$$;

-- A pooler may lend a connection on which they are prepared already.
deallocate all;

prepare leasescope_contend as
select owner, remaining, token, done from pg_temp.leasescope_contend($1, $2, $3, $4, $5, $6, $7, $8);

-- Gives the lease back if the caller holds it, `by_term` if it is that term, and tells everybody. The fencing token stays.
-- No function: others wait for it, and a statement is carried out in less time. One row of one boolean answers it, by which
-- a late answer is known.
prepare leasescope_release(text, text, text, boolean, bigint) as  -- mutex, caller, channel, by_term, term
with freed as (
  update simba_mutex
  set acquired_at = 0, ttl_at = 0, transition_at = 0, owner_id = '', version = version + 1
  where mutex = $1 and owner_id = $2 and (not $4 or fencing_token = $5)
  returning owner_id)
select count(pg_notify($3, 'released@@' || $2)) > 0 as released from freed;

-- A statement is planned at its first use, which for a release is when others wait for it. So each is used now, on the
-- mutex without a name, which has no row: nothing is written, and nobody is told.
-- Servers up to 11 do not know of the setting.
select set_config('plan_cache_mode', 'force_generic_plan', false)
where exists (select from pg_settings where name = 'plan_cache_mode');
execute leasescope_contend('', '', 1, 1, '', true, true, 0);
execute leasescope_release('', '', '', true, 0);
