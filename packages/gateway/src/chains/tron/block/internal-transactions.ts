// TRX that contracts send inside a call, as a receipt shows it: proposals, which a balance confirms or nothing does.
import type { Currency } from '@ducat/core/chain/currency';
import type { Transfer } from '@ducat/core/chain/transfer';
import { isInteger, isRecord, type Json } from '../wire/json.ts';
import { type Place, transferAt } from './place.ts';

/**
 * Other notes (freezing, voting, delegation) stand there only where a node has vm.saveFeaturedInternalTx. Their amounts
 * reach nobody but the contract itself, or stand in the entry of its suicide already.
 */
const moving: ReadonlySet<unknown> = new Set(
  ['call', 'create', 'suicide'].map((note) => Buffer.from(note).toString('hex')),
);
const address = /^41[0-9a-f]{40}$/;
/** The protocol's own integers have 64 bits; the JSON beside them has no bound, and the books have one. */
const largestValue = 2n ** 63n - 1n;

/**
 * `rejected` marks a failed call and everything below it. Positions count what can move TRX, rejected or not, so that
 * they are the same on nodes that keep more. What is not written as nodes write it is left out: the balance finds it.
 */
export function internalTransactions(
  place: Place,
  internal: readonly Json[],
  native: Currency,
): readonly Transfer[] {
  return internal
    .filter(({ note }) => moving.has(note))
    .flatMap((one, index) => {
      const { rejected = false, callValueInfo: values, caller_address: from, transferTo_address: to } = one;
      if (rejected !== false || !Array.isArray(values) || !isAddress(from) || !isAddress(to)) return [];
      return values.flatMap((value: unknown, valueIndex) => {
        const { callValue, tokenId = '' } = isRecord(value) ? value : {};
        const units = isInteger(callValue) ? BigInt(callValue) : 0n;
        // With a token id the value is a TRC-10 token's.
        if (units <= 0n || units > largestValue || tokenId !== '') return [];
        return transferAt(place, `internal:${index}.${valueIndex}`, native, { from, to, units });
      });
    });
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && address.test(value);
}
