// What nodes do with signed bytes: they take, drop or delay them, and may answer something else than they did.
import { Outage } from '@ducat/gateway/runtime/outage';
import type { TransferIntent } from '@ducat/core/signing/transfer-intent';
import type { OutgoingCall } from '../../nodes/sim-block.ts';
import type { SimChain } from '../../nodes/sim-chain.ts';
import type { Chance } from '../../world/chance.ts';
import { holds, nonceAt } from './ground.ts';
import { sweptIn } from './sweeping.ts';
import { delegatedBy, transactionsUpTo } from './stake.ts';
import { delegationProblem, pricesOf } from './sending-rules.ts';

/** Bytes as a node reads them. */
export interface ReadBytes {
  readonly from: string;
  readonly txId: string;
  readonly intent: TransferIntent;
}

export interface Pool {
  readonly chance: Chance;
  /** The share of answers that are not honest. */
  readonly moodiness: () => number;
  /** The one mood that nodes are in; null where they have several. */
  readonly onlyMood: () => Mood | null;
  /** The share of payouts that revert where they are executed. */
  readonly reverting: () => number;
  /** Called before a node does anything with the bytes. */
  readonly onBroadcast: (chain: SimChain, bytes: string, sent: ReadBytes) => Promise<void>;
}

const LATE_MS = 60_000;
/** What a replacement has to offer, in percent of the price before. */
const REPLACEMENT = 110n;

export type Mood =
  | 'honest'
  | 'drops'
  | 'late'
  | 'lies'
  | 'takes and lies'
  | 'takes and is silent'
  /** Refuses sweeps for ever, as a node does where a sweep could cost more than the node takes. */
  | 'refuses sweeps';

/**
 * The problem in the words of a node; null where the node says that it took the bytes. `staked` is the operator's
 * stake in sun.
 */
export function receive(
  pool: Pool,
  chain: SimChain,
  sent: ReadBytes,
  { nowMs, staked }: { readonly nowMs: number; readonly staked: bigint },
): string | null {
  const mood = moodOf(pool);
  const { family } = chain.definition;
  const lie =
    family === 'evm' ? pool.chance.pick(['already known', 'nonce too low']) : 'DUP_TRANSACTION_ERROR';
  if (mood === 'drops') return null;
  if (mood === 'lies') return lie;
  if (mood === 'refuses sweeps' && sweptIn(sent.intent).length > 0) return 'exceeds the configured cap';
  const call: OutgoingCall = {
    from: sent.from,
    intent: sent.intent,
    reverts: sent.intent.subject.kind === 'payout' && pool.chance.hits(pool.reverting()),
    fee: null,
  };
  const transaction = { txId: sent.txId, valueTransfers: [], failed: false, raw: null, outgoing: call };
  if (mood === 'late') {
    chain.delayed.push({ atMs: nowMs + pool.chance.between(1_000, LATE_MS), transaction });
    return null;
  }
  const problem = problemOf(chain, sent, staked);
  if (problem !== null) return problem;
  chain.mempool.push(transaction);
  if (mood === 'takes and is silent') throw new Outage('the answer did not come in time');
  return mood === 'takes and lies' ? lie : null;
}

function moodOf({ chance, moodiness, onlyMood }: Pool): Mood {
  const only = onlyMood();
  if (only !== null) return only;
  if (!chance.hits(moodiness())) return 'honest';
  return chance.pick(['drops', 'late', 'lies', 'takes and lies', 'takes and is silent'] as const);
}

function problemOf(chain: SimChain, sent: ReadBytes, staked: bigint): string | null {
  const { tip } = chain;
  const { intent, from, txId } = sent;
  const isKnown = chain.isWaiting(txId) || holds(tip, txId);
  if (intent.family === 'tron') {
    if (isKnown) return 'DUP_TRANSACTION_ERROR';
    if (intent.expirationMs <= tip.header.time * 1_000) return 'TRANSACTION_EXPIRATION_ERROR';
    if (intent.action.type === 'transfer') return null;
    const problem = delegationProblem(delegatedBy(transactionsUpTo(tip)), staked, intent.action);
    return problem === null ? null : 'CONTRACT_VALIDATE_ERROR';
  }
  if (isKnown) return 'already known';
  if (intent.nonce < nonceAt(tip, from)) return 'nonce too low';
  const rivals = chain.mempool.flatMap(({ outgoing }) =>
    outgoing?.from === from && outgoing.intent.family === 'evm' && outgoing.intent.nonce === intent.nonce
      ? [pricesOf(outgoing.intent)]
      : [],
  );
  const isLow = rivals.some(({ most }) => pricesOf(intent).most * 100n < most * REPLACEMENT);
  return isLow ? 'replacement transaction underpriced' : null;
}
