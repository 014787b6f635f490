// Which numbers the currencies of a chain have: a thousand of its own for each chain, pinned for ever.

/** How many numbers a chain has. The first one is its native currency's. */
export const NUMBERS_PER_CHAIN = 1_000;

/** Tokens that operators add have the last hundred, so that the catalogue can grow below. */
const ADDED_TOKENS_FROM = 900;

/** Thousands up to this one belong to the chains that Ducat knows, whether they are on or not. */
const LAST_KNOWN_BLOCK = 4 * NUMBERS_PER_CHAIN;

/** The first number of the thousand that a number is in. */
export function blockOf(currencyId: number): number {
  return currencyId - (currencyId % NUMBERS_PER_CHAIN);
}

/** The first number of the thousand above all numbers that were ever used. */
export function freeBlock(taken: readonly number[]): number {
  return blockOf(Math.max(LAST_KNOWN_BLOCK, ...taken)) + NUMBERS_PER_CHAIN;
}

/** For a token that an operator adds to the chain of that thousand; null where none is left. */
export function freeTokenNumber(block: number, taken: readonly number[]): number | null {
  const given = new Set(taken);
  for (let id = block + ADDED_TOKENS_FROM; id < block + NUMBERS_PER_CHAIN; id += 1)
    if (!given.has(id)) return id;
  return null;
}
