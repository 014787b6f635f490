-- Transfers by block, by sender, and the proposed ones. Writing to transfers waits meanwhile, reading does not.
-- On a large database an operator makes them beforehand by CREATE INDEX CONCURRENTLY (docs/operate/upgrade.md).
CREATE INDEX IF NOT EXISTS transfers_by_block ON transfers (chain, block_number);
CREATE INDEX IF NOT EXISTS transfers_by_sender ON transfers (from_address_id) WHERE from_address_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS transfers_proposed ON transfers (chain, address_id) WHERE state = 'proposed';
