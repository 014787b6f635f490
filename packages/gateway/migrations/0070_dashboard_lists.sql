-- What the dashboard lists that waits for a person: few rows of large tables, so each of these indexes stays small.
CREATE INDEX IF NOT EXISTS apps_by_merchant ON apps (merchant_id, created_at_ms, app_id);
CREATE INDEX IF NOT EXISTS orders_open ON orders (app_id, trade_no) WHERE status = 'TO-BE-PAID';
CREATE INDEX IF NOT EXISTS orders_timed_out_with_money ON orders (app_id, trade_no)
  WHERE status = 'TIME-OUT' AND collected > 0;
DROP INDEX IF EXISTS transfers_unassigned;
CREATE INDEX IF NOT EXISTS transfers_unassigned_by_time ON transfers (app_id, block_time, chain, tx_id, position)
  WHERE disposition = 'unassigned';
CREATE INDEX IF NOT EXISTS collections_by_address ON collections (address_id, started_at_ms);
CREATE INDEX IF NOT EXISTS reorgs_by_time ON reorgs (chain, at_ms);

-- The person who asked for a payout on the dashboard; none for those of the API.
CREATE TABLE payout_askers (
  trade_no  text COLLATE "C" PRIMARY KEY REFERENCES payouts,
  person_id text COLLATE "C" NOT NULL
);

CREATE INDEX IF NOT EXISTS payouts_by_address ON payouts (app_id, to_address) WHERE status = 'PAID';
