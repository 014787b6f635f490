-- What is booked of outgoing transactions: what left as promised, and what it cost. Checked from now on; no row can have
-- had one of the new words before.
ALTER TABLE transfers
  DROP CONSTRAINT transfers_disposition_check,
  ADD CONSTRAINT transfers_disposition_check
    CHECK (disposition IN ('payment', 'late', 'extra', 'unassigned', 'outgoing', 'sent', 'own')) NOT VALID;

ALTER TABLE accounts
  DROP CONSTRAINT accounts_kind_check,
  ADD CONSTRAINT accounts_kind_check
    CHECK (kind IN ('custody', 'suspense', 'sent', 'network-fee', 'available', 'frozen', 'unassigned', 'fee')),
  DROP CONSTRAINT accounts_sign_check,
  ADD CONSTRAINT accounts_sign_check
    CHECK (CASE WHEN kind = 'custody' THEN true WHEN kind IN ('suspense', 'sent', 'network-fee') THEN balance <= 0
      ELSE balance >= 0 END);

ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check
    CHECK (fact IN ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move')) NOT VALID;
