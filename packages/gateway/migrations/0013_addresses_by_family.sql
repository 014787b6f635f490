-- Used addresses are compared in the order of their rows. Writing to addresses waits meanwhile, reading does not.
-- On a large database an operator makes it beforehand by CREATE INDEX CONCURRENTLY (docs/operate/upgrade.md).
CREATE INDEX IF NOT EXISTS addresses_by_family ON addresses (family, address_id);
