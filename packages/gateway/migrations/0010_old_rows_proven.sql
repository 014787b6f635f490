-- Proves that the rows from before 0005 fit its constraints. Reads addresses, transfers and entries once, under a lock
-- that lets reading and writing go on.
ALTER TABLE addresses
  VALIDATE CONSTRAINT addresses_purpose_check,
  VALIDATE CONSTRAINT addresses_owner_check,
  VALIDATE CONSTRAINT addresses_order_check;
ALTER TABLE transfers
  VALIDATE CONSTRAINT transfers_from_address_id_fkey,
  VALIDATE CONSTRAINT transfers_ours_check,
  VALIDATE CONSTRAINT transfers_state_check,
  VALIDATE CONSTRAINT transfers_disposition_check;
ALTER TABLE entries VALIDATE CONSTRAINT entries_fact_check;
