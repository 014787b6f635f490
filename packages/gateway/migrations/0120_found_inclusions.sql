-- A restored backup forgets transactions: a person finds one by what it moved, and its network fee is booked by the block
-- that holds it, though the books have no variant of it.
ALTER TABLE inclusions DROP CONSTRAINT inclusions_chain_tx_id_fkey;
