-- What the gas wallet sent lately: the day's budget of top-ups, and how long its coin lasts.
CREATE INDEX IF NOT EXISTS outgoing_fundings ON outgoing_transactions (chain, created_at_ms)
  WHERE subject_kind = 'funding';
