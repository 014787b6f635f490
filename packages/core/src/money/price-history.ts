// By which price a receipt is valued: the newest that was known when it was booked, unless that was too old.

/** One price of a currency is kept for each quarter of an hour of UTC. */
export const PRICE_EVERY_S = 900;

/** An older price says nothing about a receipt. So a receipt has no price where the last four are missing. */
export const MOST_PRICE_AGE_S = 3_600;
