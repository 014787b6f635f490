// The rules of a chain whose blocks prove nothing: hashes are made from counters, positions are counted.
import { createHash } from 'node:crypto';
import type { CurrencyId } from '@ducat/core/money/amount';
import type { ChainRules } from './sim-block.ts';

/** `name` makes the hashes of two chains differ. Native value beside other transfers is sent by a contract. */
export function plainRules(name: string, nativeId: CurrencyId): ChainRules {
  const hash = (text: string): string => createHash('sha256').update(`${name} ${text}`).digest('hex');
  return {
    isPlain: true,
    transaction: (valueTransfers, failed, salt) => ({
      txId: hash(`transaction ${salt}`),
      valueTransfers,
      failed,
      raw: null,
    }),
    executed: (transaction, valueTransfers, failed) => ({ ...transaction, valueTransfers, failed }),
    transfersOf: ({ txId, valueTransfers, failed }) =>
      failed
        ? []
        : valueTransfers.flatMap(({ currencyId, from, to, units, isTrap = false }, index) => {
            const isInternal = currencyId === nativeId && valueTransfers.length > 1;
            const position = `${isInternal ? 'internal' : 'log'}:${index}`;
            return units === 0n || isTrap ? [] : [{ txId, position, from, to, currencyId, units }];
          }),
    block: (parent, _transactions, time, salt) => ({
      header: {
        number: (parent?.header.number ?? -1) + 1,
        hash: hash(`block ${salt}`),
        parentHash: parent?.header.hash ?? '0'.repeat(64),
        time,
      },
      raw: null,
    }),
  };
}
