-- A payout ends once, whatever it ends as. On a large database an operator makes the index beforehand by CREATE INDEX
-- CONCURRENTLY (docs/operate/upgrade.md).
CREATE UNIQUE INDEX IF NOT EXISTS entries_one_end_per_payout ON entries (reference) WHERE fact IN ('payout', 'release');
