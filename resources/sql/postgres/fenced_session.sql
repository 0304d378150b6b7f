-- What a connection needs for calls of fenced locks; in its own temporary schema, as the lease calls' functions. Each call
-- is one message and one transaction, which holds the mutex's row of leasescope_lock from its beginning: whatever happens
-- to one mutex happens in one order, and the fence that is drawn within rises with it.
-- Answers are SessionAnswer's: 0 done, 1 not locked, 3 not the owner, 4 cancelled, 5 the session has ended; 100: it waits.
set default_transaction_isolation = 'read committed';

-- Of somebody who does not hold the latest answer is enough: a thread has one call at a time.
create or replace function pg_temp.leasescope_remember(
  of_mutex text, of_session bigint, of_thread bigint, of_uid bigint, of_lock boolean, said bigint, its_fence bigint,
  its_held bigint)
returns void language plpgsql as $$
begin
  if not exists (select 1 from leasescope_lock l where l.mutex = of_mutex and l.held > 0 and l.session = of_session
                 and l.thread = of_thread) then
    delete from leasescope_memo m where m.session = of_session and m.thread = of_thread;
  end if;
  insert into leasescope_memo (session, thread, uid, acquires, answer, fence, held)
  values (of_session, of_thread, of_uid, of_lock, said, its_fence, its_held)
  on conflict (session, thread, uid, acquires)
  do update set answer = excluded.answer, fence = excluded.fence, held = excluded.held;
end
$$;

-- Whoever waits is told that there is an answer, and asks for it.
create or replace function pg_temp.leasescope_tell(of_session bigint, of_thread bigint, of_uid bigint) returns void
language sql as $$
  select pg_notify('leasescope_session_' || of_session, of_thread || ':' || of_uid)
$$;

-- Ends a thread's wait: its place was given to a newer call, or given up.
create or replace function pg_temp.leasescope_cancel(of_session bigint, of_thread bigint)
returns void language plpgsql as $$
declare
  older bigint;
begin
  delete from leasescope_waiter w where w.session = of_session and w.thread = of_thread
  returning w.uid into older;
  if found then
    perform pg_temp.leasescope_tell(of_session, of_thread, older);
  end if;
end
$$;

create or replace function pg_temp.leasescope_end(of_mutex text, of_session bigint)
returns void language plpgsql as $$
declare
  waits record;
begin
  for waits in delete from leasescope_waiter w where w.session = of_session returning w.thread, w.uid loop
    perform pg_temp.leasescope_tell(of_session, waits.thread, waits.uid);
  end loop;
  delete from leasescope_memo m where m.session = of_session;
  delete from leasescope_session s where s.session = of_session;
  update leasescope_lock l set session = 0, thread = 0, held = 0 where l.mutex = of_mutex and l.session = of_session;
end
$$;

create or replace function pg_temp.leasescope_hand_over(of_mutex text) returns void language plpgsql as $$
declare
  heir record;
begin
  if exists (select 1 from leasescope_lock l where l.mutex = of_mutex and l.held > 0) then
    return;
  end if;
  delete from leasescope_waiter w
  where w.mutex = of_mutex and w.fence = (select min(o.fence) from leasescope_waiter o where o.mutex = of_mutex)
  returning * into heir;
  if not found then
    return;
  end if;
  update leasescope_lock l set session = heir.session, thread = heir.thread, fence = heir.fence, held = 1
  where l.mutex = of_mutex;
  perform pg_temp.leasescope_remember(of_mutex, heir.session, heir.thread, heir.uid, true, 0, heir.fence, 1);
  perform pg_temp.leasescope_tell(heir.session, heir.thread, heir.uid);
end
$$;

-- What every call does first: it takes the mutex's row, ends what is over by the database's clock, and hands on what that
-- has freed. Nobody looks after sessions in between; who waits is told when the holder's session may be over, and calls
-- then. The clock is read only now: the wait for the row must not be taken from a session.
create or replace function pg_temp.leasescope_enter(of_mutex text) returns bigint language plpgsql as $$
declare
  now_us bigint;
  gone record;
begin
  perform 1 from leasescope_lock l where l.mutex = of_mutex for update;
  if not found then
    insert into leasescope_lock (mutex) values (of_mutex) on conflict do nothing;
    perform 1 from leasescope_lock l where l.mutex = of_mutex for update;
  end if;
  now_us := floor(extract(epoch from clock_timestamp()) * 1000000);
  for gone in delete from leasescope_waiter w where w.mutex = of_mutex and w.gives_up <= now_us
              returning w.session, w.thread, w.uid loop
    perform pg_temp.leasescope_remember(of_mutex, gone.session, gone.thread, gone.uid, true, 1, 0, 0);
    perform pg_temp.leasescope_tell(gone.session, gone.thread, gone.uid);
  end loop;
  for gone in select s.session from leasescope_session s where s.mutex = of_mutex and s.expires <= now_us loop
    perform pg_temp.leasescope_end(of_mutex, gone.session);
  end loop;
  -- An operator may have deleted its session's row: nobody could ever give it back.
  update leasescope_lock l set session = 0, thread = 0, held = 0
  where l.mutex = of_mutex and l.held > 0
    and not exists (select 1 from leasescope_session s where s.session = l.session);
  perform pg_temp.leasescope_hand_over(of_mutex);
  return now_us;
end
$$;

-- A sign of life; false where there is no such session any more.
create or replace function pg_temp.leasescope_touch(of_session bigint, now_us bigint) returns boolean
language plpgsql as $$
begin
  update leasescope_session s set expires = greatest(s.expires, now_us + s.ttl), version = s.version + 1
  where s.session = of_session;
  return found;
end
$$;

-- A session is to give a sign of life every tenth of its length.
create or replace function pg_temp.leasescope_open(
  of_mutex text, caller text, for_us bigint, out answer bigint, out number bigint, out heartbeat bigint)
language plpgsql as $$
declare
  now_us bigint := pg_temp.leasescope_enter(of_mutex);
begin
  answer := 0;
  number := nextval('leasescope_fence');
  heartbeat := for_us / 10;
  insert into leasescope_session (session, mutex, owner_id, ttl, expires)
  values (number, of_mutex, caller, for_us, now_us + for_us);
end
$$;

create or replace function pg_temp.leasescope_heartbeat(of_mutex text, of_session bigint, out answer bigint)
language plpgsql as $$
declare
  now_us bigint := pg_temp.leasescope_enter(of_mutex);
begin
  answer := case when pg_temp.leasescope_touch(of_session, now_us) then 0 else 5 end;
end
$$;

create or replace function pg_temp.leasescope_close(of_mutex text, of_session bigint, out answer bigint)
language plpgsql as $$
begin
  perform pg_temp.leasescope_enter(of_mutex);
  answer := 5;
  if exists (select 1 from leasescope_session s where s.session = of_session) then
    perform pg_temp.leasescope_end(of_mutex, of_session);
    perform pg_temp.leasescope_hand_over(of_mutex);
    answer := 0;
  end if;
end
$$;

-- What a lock call comes to: the answer that it was given, also by another's transaction, or that it waits, and in how
-- many µs it is to look again unless it is told before. First in the line comes at the very end of the holder's session,
-- whoever stands behind a little later: it would find nothing.
create or replace function pg_temp.leasescope_outcome(
  of_mutex text, of_session bigint, of_thread bigint, of_uid bigint, now_us bigint,
  out answer bigint, out number bigint, out token bigint, out again bigint)
language plpgsql as $$
declare
  place bigint;
  until bigint;
begin
  select m.answer, m.held, m.fence into answer, number, token from leasescope_memo m
  where m.session = of_session and m.thread = of_thread and m.uid = of_uid and m.acquires;
  if found then
    return;
  end if;
  select w.gives_up, (select count(*) from leasescope_waiter o where o.mutex = of_mutex and o.fence < w.fence)
  into until, place from leasescope_waiter w
  where w.session = of_session and w.thread = of_thread and w.uid = of_uid;
  if found then
    answer := 100;
    select least(until, s.expires + least(place * 20000, 500000)) - now_us into again
    from leasescope_lock l join leasescope_session s on s.session = l.session where l.mutex = of_mutex;
  else
    answer := case when exists (select 1 from leasescope_session s where s.session = of_session) then 4 else 5 end;
  end if;
end
$$;

create or replace function pg_temp.leasescope_lock(
  of_mutex text, of_session bigint, of_thread bigint, of_uid bigint, wait_us bigint,
  out answer bigint, out number bigint, out token bigint, out again bigint)
language plpgsql as $$
declare
  now_us bigint := pg_temp.leasescope_enter(of_mutex);
  own leasescope_lock%rowtype;
begin
  if not pg_temp.leasescope_touch(of_session, now_us) then
    answer := 5;
    return;
  end if;
  -- Asked before, it is answered as before, or keeps its place.
  select * from pg_temp.leasescope_outcome(of_mutex, of_session, of_thread, of_uid, now_us)
  into answer, number, token, again;
  if answer <> 4 then
    return;
  end if;
  select * into own from leasescope_lock l where l.mutex = of_mutex;
  if own.held = 0 then
    own.held := 1;
    own.fence := nextval('leasescope_fence');
  elsif own.session = of_session and own.thread = of_thread then
    own.held := own.held + 1;
  else
    perform pg_temp.leasescope_cancel(of_session, of_thread);
    if wait_us = 0 then
      perform pg_temp.leasescope_remember(of_mutex, of_session, of_thread, of_uid, true, 1, 0, 0);
    else
      insert into leasescope_waiter (session, thread, mutex, uid, fence, gives_up)
      values (of_session, of_thread, of_mutex, of_uid, nextval('leasescope_fence'),
              case when wait_us > 0 then now_us + wait_us end);
    end if;
    select * from pg_temp.leasescope_outcome(of_mutex, of_session, of_thread, of_uid, now_us)
    into answer, number, token, again;
    return;
  end if;
  update leasescope_lock l set session = of_session, thread = of_thread, fence = own.fence, held = own.held
  where l.mutex = of_mutex;
  perform pg_temp.leasescope_remember(of_mutex, of_session, of_thread, of_uid, true, 0, own.fence, own.held);
  answer := 0;
  number := own.held;
  token := own.fence;
end
$$;

-- Who waits looks whether it still does. No sign of life: a process that stands still looks, but does not live.
create or replace function pg_temp.leasescope_await(
  of_mutex text, of_session bigint, of_thread bigint, of_uid bigint,
  out answer bigint, out number bigint, out token bigint, out again bigint)
language plpgsql as $$
declare
  now_us bigint := pg_temp.leasescope_enter(of_mutex);
begin
  select * from pg_temp.leasescope_outcome(of_mutex, of_session, of_thread, of_uid, now_us)
  into answer, number, token, again;
end
$$;

create or replace function pg_temp.leasescope_unlock(
  of_mutex text, of_session bigint, of_thread bigint, of_uid bigint, out answer bigint, out number bigint)
language plpgsql as $$
declare
  now_us bigint := pg_temp.leasescope_enter(of_mutex);
  own leasescope_lock%rowtype;
begin
  if not pg_temp.leasescope_touch(of_session, now_us) then
    answer := 5;
    return;
  end if;
  select m.answer, m.held into answer, number from leasescope_memo m
  where m.session = of_session and m.thread = of_thread and m.uid = of_uid and not m.acquires;
  if found then
    return;
  end if;
  update leasescope_lock l set held = l.held - 1
  where l.mutex = of_mutex and l.held > 0 and l.session = of_session and l.thread = of_thread
  returning * into own;
  if not found then
    perform pg_temp.leasescope_cancel(of_session, of_thread);
    answer := 3;
    return;
  end if;
  answer := 0;
  number := own.held;
  perform pg_temp.leasescope_remember(of_mutex, of_session, of_thread, of_uid, false, 0, 0, own.held);
  perform pg_temp.leasescope_hand_over(of_mutex);
end
$$;

-- Who holds, as anybody may ask, with a session or without.
create or replace function pg_temp.leasescope_query(
  of_mutex text, of_session bigint, of_thread bigint, out answer bigint, out number bigint, out token bigint,
  out owner text, out done boolean)
language plpgsql as $$
begin
  perform pg_temp.leasescope_enter(of_mutex);
  answer := 0;
  select l.held, l.fence, s.owner_id, l.session = of_session and l.thread = of_thread
  into number, token, owner, done
  from leasescope_lock l join leasescope_session s on s.session = l.session where l.mutex = of_mutex and l.held > 0;
end
$$;
