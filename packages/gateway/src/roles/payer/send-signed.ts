// Sends signed bytes, again and again until a final block holds them; offers more where blocks leave them out.
import { offeredBy } from '@ducat/core/outgoing/build-intent';
import { isProvenDead, MOST_OPEN_WITH_OFFERS } from '@ducat/core/outgoing/outgoing';
import { INCLUDED_LOOK_MS, lookMs, pauseMs, replaceAfterMs } from '@ducat/core/outgoing/pace';
import { replacementOf } from '@ducat/core/outgoing/replacement';
import type { DueOutgoing, Variant } from '../../db/tables/outgoing/due-outgoing.ts';
import type { NextLook } from '../../db/tables/outgoing/look-again.ts';
import type { SentVariant } from '../../db/tables/outgoing/variants.ts';
import { prepareReplacement } from '../../flows/outgoing/prepare-replacement.ts';
import { rebuildExpired } from '../../flows/outgoing/rebuild-expired.ts';
import { recordSends } from '../../flows/outgoing/record-sends.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedPayer, PayOutcome, StandingChain } from './parts.ts';

/** Characters that are kept of what nodes say. */
const LONGEST_ANSWER = 300;

interface Looked {
  /** Null where nothing was sent. */
  readonly sent: SentVariant | null;
  /** Null where it is looked at again at once. */
  readonly look: NextLook | null;
}

/** `signed` have a newest variant that is signed. Throws Outage where no provider gives an answer. */
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
    if (trouble === 'replaced') return { sent: null, look: null };
    // Its bytes may have been dropped by some, and then every one gets them again.
    if (await writer.knows(signed.txId)) return { sent: null, look: { ...later, trouble } };
  }
  return send(payer, one, variant, signed.bytes);
}

/** The same bytes to every provider, whatever became of them before. */
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

/** What stands in the way of a higher offer, null where none is needed. */
async function replaceIfLow(
  { writer, transact, world, lease, log, observer }: LeasedPayer,
  one: DueOutgoing,
  { intent, ordinal, signed }: Variant,
): Promise<string | null> {
  const { definition } = writer;
  const { name: chain, currencies } = definition;
  const { outgoingId, from, to, amount, feeCap, sweeping } = one;
  const offered = offeredBy(intent);
  const isDue = signed !== null && world.nowMs() - signed.atMs >= replaceAfterMs(definition.blockTimeMs);
  // The others of a sender wait for the first, whatever they offer.
  if (!isDue || !one.isFirst || one.senderStopped !== null) return null;
  const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  if (offered === null || intent.family !== 'evm' || currency === undefined) return null;
  const live = await writer.estimate({ from, to, currency, amount, sweeping }).catch(nullOnOutage);
  if (live?.outcome !== 'possible' || live.terms.family !== 'evm') return null;
  const replacement = replacementOf(offered, live.terms, feeCap);
  if (replacement.kind === 'not-needed') return null;
  if (replacement.kind === 'cap-reached') return 'a higher fee would be above what it may cost';
  const { terms } = replacement;
  const offer = { outgoingId, ordinal, intent, terms };
  const input = { chain, ...offer, mostOpen: MOST_OPEN_WITH_OFFERS, nowMs: world.nowMs(), lease };
  if (!(await transact((tx) => prepareReplacement(tx, input)))) return null;
  const { maxFeePerGas, maxPriorityFeePerGas } = terms;
  const prices = { maxFeePerGas: `${maxFeePerGas}`, maxPriorityFeePerGas: `${maxPriorityFeePerGas}` };
  log.info({ flow: 'prepare-replacement', chain, outgoingId, ...prices }, 'a transaction offers more');
  observer.onReplaced(chain);
  return 'replaced';
}

/** What is not known now is found out at the next look; the same bytes are sent meanwhile. */
function nullOnOutage(error: unknown): null {
  if (error instanceof Outage) return null;
  throw error;
}
