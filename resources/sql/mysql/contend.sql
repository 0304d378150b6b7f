-- Takes the lease if it is free; with `only_renew` it is never taken anew. A term is owner and token: on the caller's own
-- lease an acquire begins a new term for the rest of it, and a renewal names the term that it means, and is refused for
-- another. Not `by_term` it is as Simba 4.x: the owner's id alone counts, and an acquire on one's own lease renews it.
-- One message to the server: a client that stops in between holds no row.
insert into simba_mutex (mutex, acquired_at, ttl_at, transition_at, owner_id, version)
  select {mutex}, 0, 0, 0, '', 0 from dual
  where not {only_renew} and not exists (select 1 from simba_mutex where mutex = {mutex});
start transaction;
set @there = 0, @mine = 0, @until = 0, @token = 0, @owner = '';
select count(*) into @there from simba_mutex where mutex = {mutex} for update;
-- Only now: the wait for the row must not be taken from the lease, and within a statement the clock stands still.
select cast(convert(owner_id using utf8mb4) as binary) = cast({caller} as binary), cast(transition_at as signed),
    {token_column}, owner_id
  into @mine, @until, @token, @owner from simba_mutex where mutex = {mutex};
set @now = cast(unix_timestamp(current_timestamp(3)) * 1000 as signed);
set @own = @mine and @until > @now;
-- At transition_at itself nobody can: neither the owner nor anybody else.
-- A token that the next one could not be above is no term's.
set @sound = @token < 9223372036854775807;
set @done = @there and @sound and if({only_renew}, @own and (not {by_term} or @token = {term}), @own or @until < @now);
set @renews = @own and ({only_renew} or not {by_term});
set @rest = if(@own and not @renews, @until - @now, {lease_ms});
set @next = @token + if(@renews, 0, 1);
update simba_mutex
  set acquired_at = @now, ttl_at = @now + @rest - {transition_ms}, transition_at = @now + @rest, owner_id = {caller},
    version = version + 1{set_token}
  where mutex = {mutex} and @done;
set @shown = @until >= @now and @owner <> '' and (not @mine or (@own and {by_term}));
select if(@done, {caller}, if(@shown, @owner, '')) as owner, if(@done, @rest, if(@shown, @until - @now, 0)) as remaining,
  if({fenced}, if(@done, @next, if(@shown, @token, 0)), 0) as token, @done as done, @sound as sound;
commit
