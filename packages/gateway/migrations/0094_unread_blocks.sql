-- Signed before a person led its chain past blocks that were never read: one of those may hold it.
ALTER TABLE outgoing_transactions ADD COLUMN IF NOT EXISTS may_be_unread boolean NOT NULL DEFAULT false;
