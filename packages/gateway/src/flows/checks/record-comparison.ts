// Records the balances of one page of addresses: updates the differences, and moves the round or the touched blocks on.
import { type Amount, compare } from '@ducat/core/money/amount';
import { dayOf } from '@ducat/core/reserves/day';
import { isEnded, passParts } from '@ducat/core/reserves/plan';
import {
  type BalanceDifference,
  deleteDifferences,
  upsertDifferences,
} from '../../db/tables/books/balance-differences.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import {
  lockReserveCheck,
  moveRound,
  moveTouched,
  type ReserveCheck,
  setTrouble,
} from '../../db/tables/books/reserve-checks.ts';
import { addComparison } from '../../db/tables/books/reserve-days.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

/** What one address holds and should hold, in one currency. */
export interface ComparedBalance {
  readonly addressId: number;
  readonly expected: Amount;
  readonly actual: Amount;
  /** The block after which both amounts hold. */
  readonly atBlock: number;
}

/** Which addresses were compared: touched ones up to a block, a page of the round up to a row, or those that differed. */
export type Compared =
  | { readonly kind: 'touched'; readonly until: number }
  | { readonly kind: 'rotation'; readonly position: number }
  | { readonly kind: 'differing' };

export interface Comparison {
  readonly lease: HeldLease;
  readonly chain: string;
  readonly currencyId: number;
  readonly compared: Compared;
  readonly balances: readonly ComparedBalance[];
  readonly nowMs: number;
}

export interface RecordedComparison {
  /** Addresses whose difference is new or has changed. */
  readonly appeared: readonly number[];
  /** Addresses that differed before and agree with the books now. */
  readonly explained: readonly number[];
  /** Whether a round ended with this page. */
  readonly endedRound: boolean;
}

/** Null where the lease was lost or the currency is not compared any more; nothing was written. */
export async function recordComparison(tx: Tx, comparison: Comparison): Promise<RecordedComparison | null> {
  const { lease, chain, currencyId, compared, balances, nowMs } = comparison;
  if (!(await mayRecordChecks(tx, lease))) return null;
  const check = await lockReserveCheck(tx, chain, currencyId);
  if (check === null) return null;
  const isEqual = ({ expected, actual }: ComparedBalance) => compare(expected, actual) === 0;
  const differing: readonly BalanceDifference[] = balances.filter((one) => !isEqual(one));
  const equal = balances.filter(isEqual).map(({ addressId }) => addressId);
  const appeared = await upsertDifferences(tx, chain, currencyId, differing, nowMs);
  const explained = await deleteDifferences(tx, chain, currencyId, equal);
  await setTrouble(tx, chain, currencyId, null, nowMs);
  if (compared.kind === 'touched') {
    await moveTouched(tx, chain, new Map([[currencyId, compared.until]]));
  }
  const endedRound =
    compared.kind === 'rotation' &&
    (await advanceRound(tx, check, { to: compared.position, addresses: balances.length, nowMs }));
  const day = { day: dayOf(nowMs), chain, currencyId };
  await addComparison(tx, day, { addresses: balances.length, endedRound });
  return { appeared, explained, endedRound };
}

interface Advance {
  readonly to: number;
  readonly addresses: number;
  readonly nowMs: number;
}

async function advanceRound(
  tx: Tx,
  check: ReserveCheck,
  { to, addresses, nowMs }: Advance,
): Promise<boolean> {
  const { chain, currencyId, round, parts } = check;
  const position = Math.min(round.end, to);
  const isLast = isEnded({ ...round, position });
  await moveRound(tx, chain, currencyId, {
    position,
    checked: check.roundChecked + addresses,
    parts: passParts(parts, round, position, nowMs),
    isEnded: isLast,
  });
  return isLast;
}
