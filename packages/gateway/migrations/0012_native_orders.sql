-- Addresses whose native balance is compared: of orders in a native currency, whose number ends in 000, and static
-- ones. Writing to addresses and orders waits meanwhile, reading does not.
-- On a large database an operator makes them beforehand by CREATE INDEX CONCURRENTLY (docs/operate/upgrade.md).
CREATE INDEX IF NOT EXISTS addresses_static ON addresses (family, address_id) WHERE purpose = 'static';
CREATE INDEX IF NOT EXISTS orders_native ON orders (chain, time_expire) WHERE currency_id % 1000 = 0;
