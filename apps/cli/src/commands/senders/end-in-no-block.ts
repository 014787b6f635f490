// Searches the blocks that chain rewind skipped for a Tron transaction of ours, and ends it where no block has it.
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { readCursors } from '@ducat/gateway/db/tables/cursors';
import { findSignedSubject, type SignedSubject } from '@ducat/gateway/db/tables/outgoing/unread';
import { type EndedInNoBlock, endInNoBlock as end } from '@ducat/gateway/flows/blocks/end-in-no-block';
import { searchFinal } from '@ducat/gateway/roles/watcher/fork/search-final';
import type { SearchedBlocks } from '@ducat/core/payout/own-transaction';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { findChain } from '../find-chain.ts';

export interface InNoBlock {
  readonly id: string;
  readonly isPayout: boolean;
  readonly by: string;
  readonly reason: string;
}

/**
 * The most blocks that are searched. A transaction lives five minutes, about a hundred blocks; each rebuilt one adds as
 * many.
 */
const MOST_BLOCKS = 5_000;

/** Takes a while, because a quorum is asked for each block. */
export async function endInNoBlock(setup: Setup, { id, isPayout, by, reason }: InNoBlock): Promise<void> {
  const { database, config, world } = setup;
  const signed = await findSignedSubject(database.reader, id);
  if (signed === null) throw new CommandError(refusals.unknown(id));
  const { chain: name, kind } = signed;
  if ((kind === 'payout') !== isPayout)
    throw new CommandError(
      `${id} is a ${kind}: ducat ${isPayout ? 'senders' : 'payouts'} end ${id} --in-no-block`,
    );
  const searched = await search(setup, id, signed);
  const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
  const input = { chain: { name }, subject: { kind, id }, searched, by, reason, ...writing };
  const ended = await database.transact((tx) => end(tx, input));
  if (ended !== 'ended') throw new CommandError(refusals[ended](id));
}

/**
 * Searches from the block above the oldest reference block up to the block after which all variants had expired, or to
 * the last skipped block.
 */
async function search(
  { config, database, world }: Setup,
  id: string,
  { chain: name, txIds, reference, expiresAtMs }: SignedSubject,
): Promise<SearchedBlocks> {
  const below = (await readCursors(database.reader)).get(name)?.startNumber ?? null;
  if (reference === null || expiresAtMs === null || below === null)
    throw new CommandError(`transactions of ${name} do not expire: another one of its nonce ends ${id}`);
  const { definition, nodes } = findChain(config, name);
  const chain = openChain({ definition, nodes }, { world });
  const wanted = { from: reference + 1, below, expiresAtMs, txIds: new Set(txIds), failedToo: true };
  const found = await searchFinal(chain, wanted, MOST_BLOCKS);
  switch (found.outcome) {
    case 'searched':
      return found.searched;
    case 'held':
      throw new CommandError(`block ${found.number} holds it: give that as --in-block ${found.number}`);
    case 'not-final':
      throw new CommandError(`no quorum calls a block ${found.number} of ${name} final`);
    case 'too-many':
      throw new CommandError(`${MOST_BLOCKS} blocks of ${name} were not enough`);
  }
}

const refusals: Readonly<Record<Exclude<EndedInNoBlock, 'ended'>, (id: string) => string>> = {
  unknown: (id) => `${id} has no open transaction that was signed; ducat reconcile lists those that are open`,
  'not-skipped': (id) => `${id} was not open when blocks were skipped: the books decide`,
  'not-proven': (id) =>
    `a block may still hold a transaction of ${id}: wait until the newest has expired, and try again`,
  'outflow-fits': (id) =>
    `an outflow is exactly what ${id} promised: ducat payouts outflows shows it, for --paid-by`,
};
