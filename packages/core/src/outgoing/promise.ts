// What an outgoing transaction is meant to move, and what proves that it did, or that it did not.
import type { Inclusion } from '../chain/inclusion.ts';
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, compare } from '../money/amount.ts';

/** Exactly this amount, from this address of ours to this one. */
export interface PromisedTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
}

/**
 * - `succeeded`: it moved exactly what was promised, and nothing else of ours.
 * - `failed`: a block holds it, it failed there and moved nothing of ours. So it can never move anything.
 * - `mismatched`: it moved something else, or it succeeded and the books read no transfer of it. Example: its currency was
 *   not configured when its block was read. A person decides.
 */
export type Verdict = 'succeeded' | 'failed' | 'mismatched';

/**
 * `moved` are the final transfers of the included transaction that have a side of ours; null where the currency is not
 * configured here, so that no block was read for it.
 */
export function verdictOf(
  promised: PromisedTransfer,
  { status }: Pick<Inclusion, 'status'>,
  moved: readonly Transfer[] | null,
): Verdict {
  // mark: unread-is-not-unmoved
  if (moved === null) return 'mismatched';
  const left = moved.filter(({ from }) => from === promised.from);
  const [only] = left;
  // mark: a-status-alone-proves-nothing
  // mark: succeeded-is-not-failed
  if (only === undefined) return status === 'failed' ? 'failed' : 'mismatched';
  // mark: exactly-what-was-promised
  const isKept = status === 'succeeded' && left.length === 1 && keepsPromise(promised, only);
  return isKept ? 'succeeded' : 'mismatched';
}

/**
 * What an outgoing transaction does.
 * - `transfer`: moves exactly what is promised.
 * - `delegate`, `undelegate`, `deploy`: delegates a stake, takes it back, or makes a sweeper. Moves nothing of ours.
 * - `sweep`: empties many addresses. Each address has a verdict of its own, see `sweptBy`.
 */
export type OutgoingAction = 'transfer' | 'delegate' | 'undelegate' | 'deploy' | 'sweep';

/** The same for an action of any kind. Only a transfer promises one amount; all other actions are decided by the status. */
export function verdictOn(
  action: OutgoingAction,
  promised: PromisedTransfer,
  inclusion: Pick<Inclusion, 'status'>,
  moved: readonly Transfer[] | null,
): Verdict {
  switch (action) {
    case 'transfer':
      return verdictOf(promised, inclusion, moved);
    case 'sweep':
      // mark: an-unread-sweep-is-looked-at
      return moved === null ? 'mismatched' : inclusion.status;
    case 'delegate':
    case 'undelegate':
    case 'deploy':
      // mark: a-delegation-moves-nothing
      return (moved ?? []).length === 0 ? inclusion.status : 'mismatched';
  }
}

/** Whether a transfer is the one that was promised. */
export function keepsPromise(promised: PromisedTransfer, { from, to, amount }: Transfer): boolean {
  return (
    from === promised.from &&
    to === promised.to &&
    amount.currencyId === promised.amount.currencyId &&
    compare(amount, promised.amount) === 0
  );
}
