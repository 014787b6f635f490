-- Payouts whose transaction the books cannot decide about are ended by a person's word, with a second person where the rules ask.

ALTER TABLE payout_endings ADD COLUMN approved_by text;

-- No row can have had the new word before.
ALTER TABLE entries
  DROP CONSTRAINT entries_fact_check,
  ADD CONSTRAINT entries_fact_check CHECK (fact IN
    ('deposit', 'unassigned-receipt', 'assignment', 'outflow', 'sent', 'network-fee', 'move', 'reservation', 'payout',
     'release', 'adoption', 'sent-unread')) NOT VALID;
