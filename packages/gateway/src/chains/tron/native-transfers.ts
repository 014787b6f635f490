// TRX that a successful transaction moves: by a transfer, with a contract call, and inside one.
import type { Currency } from '@ducat/core/chain/currency';
import { LyingNode } from '../endpoint/lying-node.ts';
import { keccakOfBytes } from '../keys/keccak.ts';
import type { Movement } from './movement.ts';
import { hexOf, integerOf, type Json, listOf } from './node-json.ts';
import { bytesIn, fieldsOf, integerIn } from './protobuf.ts';
import type { ContractCall, RawTransaction } from './raw-transaction.ts';

/** Numbers of the contract types that move TRX. TRC-10 transfers (2) are another type, whatever the token's name. */
const transferContract = 1n;
const createContract = 30n;
const triggerContract = 31n;

// Other notes (freezing, voting, delegation) carry amounts that reach nobody.
const moving = new Map([
  [Buffer.from('call').toString('hex'), true],
  [Buffer.from('create').toString('hex'), true],
  [Buffer.from('suicide').toString('hex'), true],
]);
const address = /^41[0-9a-f]{40}$/;

/** Whether a transaction of that type can move what is watched. */
export function movesMoney(call: ContractCall | null): boolean {
  return call !== null && (call.type === transferContract || runsCode(call));
}

/** Whether its receipt tells how the contract's code ended. */
export function runsCode({ type }: ContractCall): boolean {
  return type === createContract || type === triggerContract;
}

/** What the transaction's own contract moves, or null. A call's call_token_value is TRC-10 and never counts. */
export function topLevelMovement({ id, call }: RawTransaction, currency: Currency): Movement | null {
  if (call === null || !movesMoney(call)) return null;
  const fields = fieldsOf(call.payload);
  const from = bytesIn(fields, 1);
  const created = call.type === createContract ? fieldsOf(bytesIn(fields, 2)) : null;
  const units = created === null ? integerIn(fields, 3) : integerIn(created, 5);
  if (units <= 0n) return null;
  const to = created === null ? bytesIn(fields, 2) : createdAddress(id, from);
  if (!address.test(from) || !address.test(to))
    throw new LyingNode('a transfer of TRX is between no addresses');
  return { currency, position: 'value', from, to, units };
}

/** What moved inside a successful contract call. `rejected` marks a failed call and everything below it. */
export function internalMovements(internal: readonly Json[], currency: Currency): readonly Movement[] {
  const movements: Movement[] = [];
  for (const [index, one] of internal.entries()) {
    const { rejected, note } = one;
    if (rejected !== undefined && rejected !== false && rejected !== true)
      throw new LyingNode('answered with an internal transaction that is neither rejected nor not');
    if (rejected === true || !moving.has(hexOf(note, 'a note'))) continue;
    for (const [place, { callValue, tokenId }] of listOf(one['callValueInfo'], 'call values').entries()) {
      const units = integerOf(callValue, 'a call value');
      // With a token id the value is a TRC-10 token's.
      if (units <= 0n || (tokenId !== undefined && tokenId !== '')) continue;
      const from = hexOf(one['caller_address'], 'an address');
      const to = hexOf(one['transferTo_address'], 'an address');
      if (!address.test(from) || !address.test(to))
        throw new LyingNode('TRX moved inside a call between no addresses');
      movements.push({ currency, position: `inner:${index}.${place}`, from, to, units });
    }
  }
  return movements;
}

/** Where a creation puts its contract. */
function createdAddress(id: string, owner: string): string {
  return `41${keccakOfBytes(Buffer.from(id + owner, 'hex')).slice(24)}`;
}
