-- The story of an order finds the sweep that emptied its address.
CREATE INDEX IF NOT EXISTS collections_of_sweep ON collections (sweep_id) WHERE sweep_id IS NOT NULL;
