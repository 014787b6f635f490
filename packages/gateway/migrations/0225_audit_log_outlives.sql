-- The audit log outlives a merchant that is deleted: its entries are never changed, and keep the number of what is gone.
ALTER TABLE audit_log DROP CONSTRAINT audit_log_merchant_id_fkey;
