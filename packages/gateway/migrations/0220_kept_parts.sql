-- What a recipient got of a payout that failed all the same. Until now only the entry that released the rest knew it. A person
-- ended each of those payouts, so they are found by their endings, and the rest by unique keys.
ALTER TABLE payouts ADD COLUMN kept numeric NOT NULL DEFAULT 0;

UPDATE payouts p SET kept = got.units
FROM (
  SELECT e.trade_no, s.units
  FROM payout_endings e
    JOIN entries n ON n.fact = 'release' AND n.reference = e.trade_no
    JOIN postings s ON s.entry_id = n.entry_id
    JOIN accounts a ON a.account_id = s.account_id AND a.kind = 'sent'
) got
WHERE p.trade_no = got.trade_no AND p.status = 'FAIL';
