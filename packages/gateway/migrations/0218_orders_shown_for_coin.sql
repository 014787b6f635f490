-- Whether an address was ever shown for coin, whatever order has it now: a sweep would let it take none with 21,000 gas.
CREATE INDEX IF NOT EXISTS orders_of_coin ON orders (address_id) WHERE currency_id % 1000 = 0;
CREATE INDEX IF NOT EXISTS choices_of_coin ON currency_choices (address_id) WHERE currency_id % 1000 = 0;
