-- What waits is taken from each sender and each app in turn.
CREATE INDEX IF NOT EXISTS outgoing_waiting ON outgoing_transactions (chain, sender_id, next_at_ms) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS payouts_unclaimed_by_app ON payouts (chain, app_id, trade_no) WHERE status = 'PROGRESS' AND NOT claimed;
