-- The outbox: one index less for each claim to write, and no queue without a name.
-- No statement reads this index: the events of an order are found by their order.
DROP INDEX events_unfinished;

-- An address without a host had an empty receiver, behind which no search ever looks: its events waited for ever.
UPDATE events SET receiver = 'unreadable' WHERE receiver = '';
