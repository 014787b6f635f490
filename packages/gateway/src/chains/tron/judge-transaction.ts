// What one transaction moved as its bytes, its result and its receipt tell it, and what of that nobody can know.
import type { UntracedReason } from '../port.ts';
import type { Movement } from './movement.ts';
import { internalMovements, topLevelMovement } from './native-transfers.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { movesMoney, runsCode } from './read-contract.ts';
import { type Receipt, saysSuccess } from './receipts.ts';
import { tokenMovements } from './token-transfers.ts';
import type { Watched } from './watched.ts';

export interface Judgement {
  /** A transaction's own value comes first, then its tokens, then what moved inside it. */
  readonly movements: readonly Movement[];
  /** Why there may be more; usually empty. */
  readonly untraced: readonly UntracedReason[];
}

/** What the code of a successful call did. */
interface Executed {
  readonly tokens: readonly Movement[];
  readonly sent: readonly Movement[];
  readonly untraced: readonly UntracedReason[];
}

const nothing: Executed = { tokens: [], sent: [], untraced: [] };

/**
 * What the code did comes from its execution and not from the bytes of the call, so it counts where only those are
 * unclear. Throws LyingNode where the receipt tells of a watched token as no node does.
 */
export function judgeTransaction(
  { contract, outcome }: Pick<RawTransaction, 'contract' | 'outcome'>,
  receipt: Receipt,
  watched: Watched,
): Judgement {
  const { value, unclear } = contract;
  // Of what failed nothing moved, however it is written.
  if (outcome === 'failed' || (unclear === null && !movesMoney(contract)))
    return { movements: [], untraced: [] };
  if (outcome !== 'succeeded') {
    const unknown = outcome === 'missing' ? 'no-result' : 'unknown-result';
    return { movements: [], untraced: [unclear ?? unknown] };
  }
  const own = value === null || watched.native === null ? [] : [topLevelMovement(value, watched.native)];
  const { tokens, sent, untraced } = runsCode(contract) ? executed(receipt, watched) : nothing;
  return {
    movements: [...own, ...tokens, ...sent],
    untraced: unclear === null ? untraced : [unclear, ...untraced],
  };
}

/**
 * The same where the block does not prove that the transaction is in it, or what it is. Tokens are in no root of a
 * proven block either: they count by the word of two endpoints, which tell type, result and receipt alike.
 */
export function judgeUnproven(
  { contract, outcome }: Pick<RawTransaction, 'contract' | 'outcome'>,
  receipt: Receipt,
  watched: Watched,
): Judgement {
  const isSuccess = outcome === 'succeeded' && runsCode(contract);
  const { tokens } = isSuccess ? executed(receipt, watched) : nothing;
  return { movements: tokens, untraced: ['unproven'] };
}

function executed(receipt: Receipt, { native, tokens, inner }: Watched): Executed {
  if (!saysSuccess(receipt)) return { ...nothing, untraced: ['unclear-receipt'] };
  const { movements, isClear } = tokenMovements(receipt.logs, tokens);
  const sent = native === null || !inner ? [] : internalMovements(receipt.internal, native);
  const untraced: UntracedReason[] = [];
  if (!isClear) untraced.push('unclear-receipt');
  if (sent === null) untraced.push('unclear-inner');
  return { tokens: movements, sent: sent ?? [], untraced };
}
