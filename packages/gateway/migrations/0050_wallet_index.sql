-- A wallet has an index of its own: it hangs on another branch below the seed. Writing to addresses waits meanwhile.
-- On a large database an operator makes them beforehand by CREATE INDEX CONCURRENTLY (docs/operate/upgrade.md).
CREATE UNIQUE INDEX IF NOT EXISTS addresses_by_index ON addresses (app_id, family, derivation_index)
  WHERE purpose <> 'wallet';
CREATE UNIQUE INDEX IF NOT EXISTS addresses_wallets ON addresses (app_id, family, derivation_index) NULLS NOT DISTINCT
  WHERE purpose = 'wallet';
ALTER TABLE addresses DROP CONSTRAINT addresses_app_id_family_derivation_index_key;
