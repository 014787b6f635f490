// Broadcasts signed bytes until a final block holds them, and offers a higher fee where blocks leave them out.
import { isProvenDead } from '@ducat/core/outgoing/outgoing';
import { INCLUDED_LOOK_MS, lookMs, pauseMs } from '@ducat/core/outgoing/pace';
import type { DueOutgoing, Variant } from '../../db/tables/outgoing/due-outgoing.ts';
import type { NextLook } from '../../db/tables/outgoing/look-again.ts';
import type { SentVariant } from '../../db/tables/outgoing/variants.ts';
import { rebuildExpired } from '../../flows/outgoing/rebuild-expired.ts';
import { recordSends } from '../../flows/outgoing/record-sends.ts';
import type { LeasedPayer, PayOutcome, StandingChain } from './parts.ts';
import { giveUpSweep, replaceIfLow } from './replace-sent.ts';

/** How many characters of a node's response are stored. */
const LONGEST_ANSWER = 300;

interface Looked {
  /** Null where nothing was sent. */
  readonly sent: SentVariant | null;
  /** Null where the transaction is looked at again at once. */
  readonly look: NextLook | null;
}

/** The newest variant of each of `signed` is signed. Where no provider gives an answer, the bytes are sent again later. */
export async function sendSigned(
  payer: LeasedPayer,
  cursor: StandingChain,
  signed: readonly DueOutgoing[],
): Promise<PayOutcome> {
  if (signed.length === 0) return 'idle';
  const { writer, transact, world, lease } = payer;
  const chain = writer.definition.name;
  const expired = signed.filter((one) => !one.isIncluded && hasExpired(one.variant, cursor));
  const rebuilt = await rebuildThese(payer, expired);
  if (rebuilt === null) return 'lease-lost';
  const open = signed.filter(({ outgoingId }) => !rebuilt.includes(outgoingId));
  const looked = await Promise.all(open.map((one) => look(payer, one)));
  const sent = looked.flatMap((one) => one.sent ?? []);
  const looks = looked.flatMap((one) => one.look ?? []);
  const recorded = await transact((tx) =>
    recordSends(tx, { chain, sent, looks, nowMs: world.nowMs(), lease }),
  );
  if (!recorded) return 'lease-lost';
  return rebuilt.length > 0 || looks.length < looked.length ? 'busy' : 'idle';
}

/**
 * Broadcasts bytes again that nodes dropped while a replacement of them waits for the signer. Without an answer of any
 * provider they are broadcast as well, and the next look does so again.
 */
export async function sendOlder(
  { writer }: LeasedPayer,
  { before, isIncluded }: Pick<DueOutgoing, 'before' | 'isIncluded'>,
): Promise<void> {
  if (before === null || isIncluded || (await writer.knows(before.txId))) return;
  await writer.broadcast(before.bytes);
}

function hasExpired(variant: Variant | null, { finalTime }: StandingChain): boolean {
  const expiresAtMs = variant?.expiresAtMs ?? null;
  return expiresAtMs !== null && finalTime !== null && isProvenDead(expiresAtMs, finalTime);
}

/** Null where the lease is lost. */
async function rebuildThese(
  { writer, transact, world, lease, log, observer }: LeasedPayer,
  expired: readonly DueOutgoing[],
): Promise<readonly string[] | null> {
  if (expired.length === 0) return [];
  const chain = writer.definition.name;
  const outgoingIds = expired.map(({ outgoingId }) => outgoingId);
  const rebuilt = await transact((tx) =>
    rebuildExpired(tx, { chain, outgoingIds, nowMs: world.nowMs(), lease }),
  );
  if (rebuilt === null || rebuilt.length === 0) return rebuilt;
  log.warn({ flow: 'rebuild-expired', chain, rebuilt }, 'transactions expired for good and are built anew');
  observer.onRebuilt(chain, rebuilt.length);
  return rebuilt;
}

async function look(payer: LeasedPayer, one: DueOutgoing): Promise<Looked> {
  const { writer, world } = payer;
  const { outgoingId, dueAtMs, variant, isIncluded } = one;
  const { blockTimeMs } = writer.definition;
  const after = (ms: number): NextLook => ({
    outgoingId,
    dueAtMs,
    nextAtMs: world.nowMs() + ms,
    trouble: null,
  });
  const signed = variant?.signed ?? null;
  if (isIncluded) return { sent: null, look: after(INCLUDED_LOOK_MS) };
  const later = after(lookMs(blockTimeMs));
  if (variant === null || signed === null) return { sent: null, look: later };
  if (variant.sends > 0) {
    const trouble = await replaceIfLow(payer, one, variant);
    // Bytes that a provider dropped are broadcast to every provider again, even where a replacement is prepared: the signer
    // may refuse to sign the replacement.
    const isKnown = await writer.knows(signed.txId);
    if (trouble === 'replaced') {
      if (!isKnown) await writer.broadcast(signed.bytes);
      return { sent: null, look: null };
    }
    if (isKnown) return unlessGivenUp(payer, one, variant, { sent: null, look: { ...later, trouble } });
  }
  return unlessGivenUp(payer, one, variant, await send(payer, one, variant, signed.bytes));
}

/** Removes the next look of a sweep that was given up, so that its transaction is looked at again at once. */
async function unlessGivenUp(
  payer: LeasedPayer,
  one: DueOutgoing,
  variant: Variant,
  looked: Looked,
): Promise<Looked> {
  const isTroubled = looked.look !== null && looked.look.trouble !== null;
  return isTroubled && (await giveUpSweep(payer, one, variant)) ? { ...looked, look: null } : looked;
}

/** Broadcasts the same bytes to every provider, whatever the earlier responses were. */
async function send(
  { writer, world, log, observer }: LeasedPayer,
  { outgoingId, dueAtMs, failures }: DueOutgoing,
  { ordinal }: Variant,
  bytes: string,
): Promise<Looked> {
  const { name: chain, blockTimeMs } = writer.definition;
  const { outcome, text } = await writer.broadcast(bytes);
  observer.onBroadcast(chain, outcome);
  const answer = text === '' ? outcome : `${outcome}: ${text}`.slice(0, LONGEST_ANSWER);
  if (outcome === 'refused') log.error({ chain, outgoingId, answer }, 'every node refuses bytes of ours');
  const waitMs = outcome === 'accepted' ? lookMs(blockTimeMs) : pauseMs(failures + 1);
  const trouble = outcome === 'accepted' ? null : answer;
  return {
    sent: { outgoingId, ordinal, answer },
    look: { outgoingId, dueAtMs, nextAtMs: world.nowMs() + waitMs, trouble },
  };
}
