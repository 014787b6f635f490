// TRX that contracts send inside a call, as a receipt shows it. These are proposals that only a balance confirms.
import type { Currency } from '@ducat/core/chain/currency';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Json } from '../wire/json.ts';
import { type Place, transferAt } from '../../port/transfer-at.ts';

/**
 * Other notes (freezing, voting, delegation) occur only where a node has vm.saveFeaturedInternalTx. Their amounts go to the
 * contract itself, or are already in the entry of its suicide.
 */
const moving: ReadonlySet<string | null> = new Set(
  ['call', 'create', 'suicide'].map((note) => Buffer.from(note).toString('hex')),
);
const address = /^41[0-9a-f]{40}$/;
/** The protocol's own integers have 64 bits. The JSON beside them has no bound, but the books have one. */
const largestValue = 2n ** 63n - 1n;

/**
 * `rejected` marks a failed call and everything below it. Positions count all that can move TRX, rejected or not, so that
 * they are the same on nodes that keep more. An entry in another form than nodes write is left out: the balance finds its
 * value.
 */
export function internalTransactions(
  place: Place,
  internal: readonly Json[],
  native: Currency,
): readonly Transfer[] {
  return internal
    .filter((one) => moving.has(one.get('note').text))
    .flatMap((one, index) => {
      const [rejected, values] = [one.get('rejected'), one.get('callValueInfo')];
      const from = one.get('caller_address').text ?? '';
      const to = one.get('transferTo_address').text ?? '';
      const isDone = rejected.isAbsent || rejected.is('false');
      if (!isDone || !values.isList || !address.test(from) || !address.test(to)) return [];
      return values.asList('values').flatMap((value, valueIndex) => {
        const units = value.get('callValue').integer ?? 0n;
        // A value with a token id is in a TRC-10 token.
        const isToken = value.has('tokenId') && value.get('tokenId').text !== '';
        if (units <= 0n || units > largestValue || isToken) return [];
        return transferAt(place, `internal:${index}.${valueIndex}`, native.currencyId, { from, to, units });
      });
    });
}
