-- An address is emptied once at a time, and has no energy of another collection meanwhile.
CREATE UNIQUE INDEX IF NOT EXISTS collections_held ON collections (chain, address_id)
  WHERE ended_at_ms IS NULL OR return_at_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS collections_returning ON collections (chain, return_at_ms) WHERE return_at_ms IS NOT NULL;
