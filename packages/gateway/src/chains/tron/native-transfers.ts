// TRX that a successful transaction moves: by a transfer, with a contract call, and inside one.
import type { Currency } from '@ducat/core/chain/currency';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { OwnValue } from './read-contract.ts';
import type { Movement } from './movement.ts';
import { hexOf, integerOf, type Json, listOf } from './node-json.ts';

/**
 * Other notes (freezing, voting, delegation) stand there only where a node has vm.saveFeaturedInternalTx. Their amounts
 * reach nobody but the contract itself, or stand in the entry of its suicide already.
 */
const moving: ReadonlySet<string> = new Set(
  ['call', 'create', 'suicide'].map((note) => Buffer.from(note).toString('hex')),
);
const address = /^41[0-9a-f]{40}$/;
/** The protocol's own integers have 64 bits; the JSON beside them has no bound, and the books have one. */
const largestValue = 2n ** 63n - 1n;

/** What the transaction's own contract moves. */
export function topLevelMovement(value: OwnValue, currency: Currency): Movement {
  return { currency, position: 'value', ...value };
}

/**
 * What moved inside a successful contract call. `rejected` marks a failed call and everything below it. Places count
 * what can move TRX, rejected or not, so that they are the same on nodes that keep more. Null where one of them cannot
 * be read as nodes write them, or moves between no addresses: that is a payer's doing as likely as the node's.
 */
export function internalMovements(internal: readonly Json[], currency: Currency): readonly Movement[] | null {
  try {
    return internal
      .filter(({ note }) => isMoving(hexOf(note, 'a note')))
      .flatMap((one, index) => movementsOf(one, `inner:${index}`, currency));
  } catch (error) {
    if (error instanceof LyingNode) return null;
    throw error;
  }
}

function isMoving(note: string): boolean {
  if (note === '') throw new LyingNode('answered with an internal transaction without a note');
  return moving.has(note);
}

function movementsOf(one: Json, place: string, currency: Currency): readonly Movement[] {
  const { rejected } = one;
  if (rejected !== undefined && rejected !== false && rejected !== true)
    throw new LyingNode('answered with an internal transaction that is neither rejected nor not');
  if (rejected === true) return [];
  return listOf(one['callValueInfo'], 'call values').flatMap(({ callValue, tokenId }, index) => {
    const units = integerOf(callValue, 'a call value');
    if (units < 0n || units > largestValue)
      throw new LyingNode('answered with a call value that no chain can count');
    // With a token id the value is a TRC-10 token's.
    if (units === 0n || (tokenId !== undefined && tokenId !== '')) return [];
    const from = hexOf(one['caller_address'], 'an address');
    const to = hexOf(one['transferTo_address'], 'an address');
    if (!address.test(from) || !address.test(to)) throw new LyingNode('answered with a call of nobody');
    return [{ currency, position: `${place}.${index}`, from, to, units }];
  });
}
