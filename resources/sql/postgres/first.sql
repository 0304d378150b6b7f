-- A statement of its own, before all others: a message of several is one transaction, which is read-only already where
-- that is the default.
set default_transaction_read_only = off;
