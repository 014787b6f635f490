-- Used addresses are compared in the order of their rows. A pool holds the free addresses of orders alone: an app with
-- many static addresses must not have each order walk past them. Writing to addresses waits meanwhile, reading does not.
-- On a large database an operator makes them beforehand by CREATE INDEX CONCURRENTLY (docs/operate/upgrade.md).
CREATE INDEX IF NOT EXISTS addresses_by_family ON addresses (family, address_id);
CREATE INDEX IF NOT EXISTS addresses_free ON addresses (app_id, family, address_id)
  WHERE purpose = 'order' AND trade_no IS NULL AND NOT retired;
DROP INDEX addresses_pool;
