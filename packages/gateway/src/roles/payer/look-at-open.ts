// Looks, without the payer, at open transactions whose bytes may have been sent, and writes what the payer would write.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { MOST_OPEN_WITH_OFFERS, type Outlook, outlookOf } from '@ducat/core/outgoing/outgoing';
import type { ChainWriter } from '../../chains/port/writer.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import { type ChainCursor, readCursors } from '../../db/tables/cursors.ts';
import { findSender } from '../../db/tables/outgoing/senders.ts';
import { type OpenWithBytes, readOpenTransactions } from '../../db/reports/open-transactions.ts';
import { checkSender } from '../../flows/outgoing/check-sender.ts';
import { rebuildExpired } from '../../flows/outgoing/rebuild-expired.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** How often a look begins again because a newer block became final meanwhile. */
const MOST_LOOKS = 10;

export interface LookAtOpen {
  readonly definition: ChainDefinition;
  readonly writer: Pick<ChainWriter, 'nextNonce'>;
  readonly reader: Reader;
  readonly transact: Transact;
  readonly world: Pick<World, 'nowMs'>;
}

export interface LookedAtOpen {
  /** The final block of the books at which everything was looked up; null where nothing is open. */
  readonly at: number | null;
  readonly open: readonly (OpenWithBytes & {
    readonly outlook: Outlook;
    /** It expired, and waits again to be built anew. */
    readonly waitsAgain: boolean;
  })[];
  /** Every sender of these transactions that is stopped, now or before. */
  readonly stopped: readonly { readonly senderId: number; readonly reason: string }[];
}

/**
 * Sends nothing and ends nothing. A sender whose nonce another transaction used is stopped, and what expired waits again:
 * both by the flows of the payer, which hold the proof themselves. Throws Outage where the chain cannot be looked at.
 */
export async function lookAtOpen(look: LookAtOpen): Promise<LookedAtOpen> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const looked = await lookOnce(look);
    if (looked !== 'stale') return looked;
  }
  throw new Outage(`${look.definition.name} went on during every look`);
}

async function lookOnce(look: LookAtOpen): Promise<LookedAtOpen | 'stale'> {
  const { reader, definition, writer } = look;
  const open = await readOpenTransactions(reader, { chain: definition.name, limit: MOST_OPEN_WITH_OFFERS });
  if (open.length === 0) return { at: null, open: [], stopped: [] };
  const at = await finalBlock(look);
  const stopped: { senderId: number; reason: string }[] = [];
  const nonces = new Map<number, number | null>();
  for (const { senderId, from } of open) {
    if (nonces.has(senderId)) continue;
    const reported = await writer.nextNonce(from, at);
    nonces.set(senderId, reported);
    const reason = reported === null ? null : await stopIfUsed(look, { senderId, at, reported });
    if (reason === 'stale') return reason;
    if (reason !== null) stopped.push({ senderId, reason: reason.stopped });
  }
  const seen = open.map((one) => {
    const reported = nonces.get(one.senderId) ?? null;
    return { ...one, outlook: outlookOf(one, { reported, finalTime: at.time }) };
  });
  const again = await rebuild(look, seen);
  return {
    at: at.number,
    open: seen.map((one) => ({ ...one, waitsAgain: again.has(one.outgoingId) })),
    stopped,
  };
}

/** The final block of the books. Throws Outage where it decides nothing. */
async function finalBlock({ reader, definition: { name } }: LookAtOpen) {
  const cursor: ChainCursor | undefined = (await readCursors(reader)).get(name);
  const halted = cursor?.haltedReason ?? null;
  if (halted !== null) throw new Outage(`${name} is halted: ${halted}`);
  const number = cursor?.finalNumber ?? null;
  const at = number === null ? null : await findBlock(reader, name, number);
  if (at === null) throw new Outage(`nothing of ${name} is final in the books yet`);
  return at;
}

async function stopIfUsed(
  { reader, transact, world, definition: { name: chain } }: LookAtOpen,
  asked: { readonly senderId: number; readonly at: { readonly number: number }; readonly reported: number },
): Promise<{ readonly stopped: string } | 'stale' | null> {
  const standing = (await findSender(reader, asked.senderId))?.stoppedReason ?? null;
  if (standing !== null) return { stopped: standing };
  const input = { chain, ...asked, nowMs: world.nowMs(), lease: null };
  const checked = await transact((tx) => checkSender(tx, input));
  if (checked.outcome === 'stale') return 'stale';
  return checked.outcome === 'stopped' ? { stopped: checked.reason } : null;
}

async function rebuild(
  { transact, world, definition: { name: chain } }: LookAtOpen,
  open: readonly { readonly outgoingId: string; readonly outlook: Outlook }[],
): Promise<ReadonlySet<string>> {
  const outgoingIds = open.flatMap((one) => (one.outlook === 'expired' ? [one.outgoingId] : []));
  if (outgoingIds.length === 0) return new Set();
  const input = { chain, outgoingIds, nowMs: world.nowMs(), lease: null };
  return new Set(await transact((tx) => rebuildExpired(tx, input)));
}
