-- A message of its own, before all others: a message of several statements is one transaction, which is read-only
-- already where that is the default, and whose time runs from its beginning.
set default_transaction_read_only = off;
-- One of our sessions is silent for as long as nobody releases. Servers up to 13 do not know of it.
select set_config('idle_session_timeout', '0', false) where current_setting('idle_session_timeout', true) is not null;
