-- The outbox: no queue without a name, and one index less for each claim to write.
-- An address without a host had an empty receiver, behind which no search ever looks: its events waited for ever.
-- This comes first: until the index goes, nobody has to wait for it.
UPDATE events SET receiver = 'unreadable' WHERE state = 'pending' AND receiver = '';

-- No statement reads this index: the events of an order are found by their order.
DROP INDEX events_unfinished;
