-- Which currencies the process that watches a chain has to read: those of the process that started last. Null until one has
-- started. A process that does not read all of them does not watch the chain, because blocks are read only once.
ALTER TABLE chain_cursors ADD COLUMN currency_ids integer[];
