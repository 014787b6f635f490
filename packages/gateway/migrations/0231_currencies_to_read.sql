-- For which currencies the blocks of a chain are read now; null where that is not known. Orders in other currencies are refused,
-- because blocks are read only once, so a payment that was left out would never be found.
ALTER TABLE chain_cursors ADD COLUMN currency_ids integer[];
