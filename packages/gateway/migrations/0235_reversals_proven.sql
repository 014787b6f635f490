-- Proves that the rows from before 0234 fit their constraints. A migration of its own, since reading all rows stops nobody so.
ALTER TABLE entries VALIDATE CONSTRAINT entries_fact_check;
ALTER TABLE transfers VALIDATE CONSTRAINT transfers_disposition_check;
