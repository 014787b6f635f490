// By which price a receipt is valued: the newest that was known when it was booked, unless that was too old.

/** One price of a currency is kept for each quarter of an hour of UTC. */
export const PRICE_EVERY_S = 900;

/** An older price says nothing about a receipt. Four are missed before there is none. */
export const MOST_PRICE_AGE_S = 3_600;
