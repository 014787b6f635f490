// TRX that a successful transaction moves: by a transfer, with a contract call, and inside one.
import type { Currency } from '@ducat/core/chain/currency';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { ContractCall } from './read-contract.ts';
import type { Movement } from './movement.ts';
import { hexOf, integerOf, type Json, listOf } from './node-json.ts';

// Other notes (freezing, voting, delegation) carry amounts that reach nobody.
const moving = new Map([
  [Buffer.from('call').toString('hex'), true],
  [Buffer.from('create').toString('hex'), true],
  [Buffer.from('suicide').toString('hex'), true],
]);
const address = /^41[0-9a-f]{40}$/;
/** The protocol's own integers have 64 bits; the JSON beside them has no bound, and the books have one. */
const largestValue = 2n ** 63n - 1n;

/** What the transaction's own contract moves, or null. */
export function topLevelMovement({ value }: ContractCall, currency: Currency): Movement | null {
  return value === null ? null : { currency, position: 'value', ...value };
}

/**
 * What moved inside a successful contract call. `rejected` marks a failed call and everything below it. Null where
 * something moved between no addresses: whom contracts send to is a payer's doing, and no lie of the node.
 */
export function internalMovements(internal: readonly Json[], currency: Currency): readonly Movement[] | null {
  const movements: Movement[] = [];
  for (const [index, one] of internal.entries()) {
    const { rejected, note } = one;
    if (rejected !== undefined && rejected !== false && rejected !== true)
      throw new LyingNode('answered with an internal transaction that is neither rejected nor not');
    if (rejected === true || !moving.has(hexOf(note, 'a note'))) continue;
    for (const [place, { callValue, tokenId }] of listOf(one['callValueInfo'], 'call values').entries()) {
      const units = integerOf(callValue, 'a call value');
      if (units > largestValue) throw new LyingNode('answered with a call value that no chain can count');
      // With a token id the value is a TRC-10 token's.
      if (units <= 0n || (tokenId !== undefined && tokenId !== '')) continue;
      const from = hexOf(one['caller_address'], 'an address');
      const to = hexOf(one['transferTo_address'], 'an address');
      if (!address.test(from) || !address.test(to)) return null;
      movements.push({ currency, position: `inner:${index}.${place}`, from, to, units });
    }
  }
  return movements;
}
