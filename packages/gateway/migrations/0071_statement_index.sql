-- The statement of an account in the order of its entries; it replaces the index by account alone.
CREATE INDEX IF NOT EXISTS postings_by_account_entry ON postings (account_id, entry_id);
DROP INDEX IF EXISTS postings_by_account;
