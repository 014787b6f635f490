-- A receipt that a deep fork took away is booked out again. No row can have had the new words before.
ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check CHECK (kind IN
    ('custody', 'cold', 'suspense', 'sent', 'network-fee', 'available', 'frozen', 'unassigned', 'receivable', 'fee',
     'network-charge')),
  DROP CONSTRAINT accounts_sign_check,
  ADD CONSTRAINT accounts_sign_check
    CHECK (CASE WHEN kind IN ('custody', 'cold') THEN true
      WHEN kind IN ('suspense', 'sent', 'network-fee', 'receivable') THEN balance <= 0
      ELSE balance >= 0 END);

ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check CHECK (fact IN
    ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move', 'reservation', 'payout',
     'release', 'adoption', 'sent-unread', 'cold-transfer', 'reversal', 'reinstatement', 'repayment')) NOT VALID;

ALTER TABLE transfers
  DROP CONSTRAINT transfers_disposition_check,
  ADD CONSTRAINT transfers_disposition_check
    CHECK (disposition IN ('payment', 'late', 'extra', 'unassigned', 'outgoing', 'sent', 'own', 'reversed')) NOT VALID;
