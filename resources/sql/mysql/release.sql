-- Gives the lease back if the caller holds it, `by_term` if it is that term. The fencing token stays.
update simba_mutex set acquired_at = 0, ttl_at = 0, transition_at = 0, owner_id = '', version = version + 1
  where mutex = {mutex} and cast(convert(owner_id using utf8mb4) as binary) = cast({caller} as binary)
    and (not {by_term} or {token_column} = {term});
select row_count() as released
