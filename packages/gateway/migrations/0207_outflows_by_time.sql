-- Outflows that the gateway did not send are few among all transfers.
CREATE INDEX IF NOT EXISTS transfers_outgoing_by_time ON transfers (block_time) WHERE disposition = 'outgoing';
