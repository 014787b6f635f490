-- Energy that is on its way back is looked for by its address. On Tron alone, and few at a time.
CREATE INDEX IF NOT EXISTS outgoing_returning ON outgoing_transactions (chain, to_address)
  WHERE action = 'undelegate' AND next_at_ms IS NOT NULL;
