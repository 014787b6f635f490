-- Proves that the rows from before 0017 and 0020 fit their constraints. Reads entries and transfers once, under locks that
-- let reading and writing go on.
ALTER TABLE entries VALIDATE CONSTRAINT entries_fact_check;
ALTER TABLE transfers VALIDATE CONSTRAINT transfers_disposition_check;
