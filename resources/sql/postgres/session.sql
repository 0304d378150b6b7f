-- What a connection needs for lease calls. The functions live in the connection's own temporary schema: nothing is left
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
  if done then
    renews := own and (only_renew or not by_term);
    token := held.fencing_token + case when renews then 0 else 1 end;
    remaining := case when own and not renews then held.transition_at - now_ms else lease_ms end;
    update simba_mutex m
    set acquired_at = now_ms, ttl_at = now_ms + remaining - (lease_ms - ttl_ms), transition_at = now_ms + remaining,
        owner_id = caller, version = m.version + 1, fencing_token = token
    where m.mutex = of_mutex;
    if not renews then
      perform pg_notify(channel, 'acquired@@' || caller);
    end if;
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

-- Gives the lease back if the caller holds it, `by_term` if it is that term, and tells everybody. The fencing token stays.
create or replace function pg_temp.leasescope_release(
  of_mutex text, caller text, channel text, by_term boolean, term bigint, out released boolean)
language plpgsql as $$
begin
  update simba_mutex m
  set acquired_at = 0, ttl_at = 0, transition_at = 0, owner_id = '', version = m.version + 1
  where m.mutex = of_mutex and m.owner_id = caller and (not by_term or m.fencing_token = term);
  released := found;
  if released then
    perform pg_notify(channel, 'released@@' || caller);
  end if;
end
$$;
