// Ends a transaction of ours by a block that chain rewind skipped, as a quorum reports that block.
import type { EndedUnread } from '@ducat/gateway/flows/blocks/end-unread';
import { endUnread } from '@ducat/gateway/flows/blocks/end-unread';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { findSignedSubject } from '@ducat/gateway/db/tables/outgoing/unread';
import { readFinal } from '@ducat/gateway/roles/watcher/fork/read-final';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { findChain } from '../find-chain.ts';

export interface InBlock {
  /** What the transaction is for: a payout, collection, funding or transfer to cold storage. */
  readonly id: string;
  readonly number: number;
  readonly by: string;
  readonly reason: string;
  readonly approvedBy: string | null;
}

export interface EndedInBlock {
  readonly kind: SubjectKind;
  readonly verdict: 'succeeded' | 'failed';
}

/** `agree` gets the contents of the block before anything is written. */
export async function endInBlock(
  { config, database, world }: Setup,
  { id, number, by, reason, approvedBy }: InBlock,
  agree: (ended: EndedInBlock) => void = () => undefined,
): Promise<EndedInBlock> {
  const { reader, transact } = database;
  const signed = await findSignedSubject(reader, id);
  if (signed === null) throw new CommandError(refusals.unknown(id, number));
  const { definition, nodes } = findChain(config, signed.chain);
  const { kind } = signed;
  const block = await readFinal(openChain({ definition, nodes }, { world }), number, new Set(signed.txIds));
  if (block === null) throw new CommandError(`no quorum calls a block ${number} of ${signed.chain} final`);
  const { inclusions, transfers } = block;
  const [inclusion] = inclusions;
  if (inclusion === undefined) throw new CommandError(refusals['not-in-block'](id, number));
  agree({ kind, verdict: inclusion.status });
  const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
  const word = { subject: { kind, id }, by, reason, approvedBy };
  const input = { ...word, chain: definition, inclusions, transfers, ...writing };
  const ended = await transact((tx) => endUnread(tx, input));
  if (ended.outcome !== 'ended') throw new CommandError(refusals[ended.outcome](id, number));
  return { kind, verdict: ended.verdict };
}

const refusals: Readonly<
  Record<Exclude<EndedUnread['outcome'], 'ended'>, (id: string, number: number) => string>
> = {
  unknown: (id) => `${id} has no open transaction that was signed; ducat reconcile lists those that are open`,
  'not-in-block': (id, number) => `block ${number} holds no transaction of ${id}`,
  'not-skipped': (id, number) =>
    `the books have read block ${number}, or ${id} was not open when blocks were skipped: the books decide`,
  'on-its-way': (id) =>
    `another transaction of ${id} may still be included, or stand in a block that was skipped; look each of them up in an explorer`,
  mismatch: (id) => `the transaction of ${id} moved something else than was promised; it stays as it is`,
};
