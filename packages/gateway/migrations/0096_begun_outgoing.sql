-- What was begun is found without a look at the queue behind it.
CREATE INDEX IF NOT EXISTS outgoing_begun ON outgoing_transactions (chain, next_at_ms)
  WHERE next_at_ms IS NOT NULL AND state <> 'waiting';
