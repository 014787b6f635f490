-- Collections and holdings that break something are left alone as payouts are.
ALTER TABLE quarantines
  DROP CONSTRAINT quarantines_kind_check,
  ADD CONSTRAINT quarantines_kind_check CHECK (kind IN ('payout', 'outgoing', 'collection', 'holding'));
