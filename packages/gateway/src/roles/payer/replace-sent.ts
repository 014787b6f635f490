// Replaces signed bytes that wait by a higher offer: of the same transfer, or of none instead of a sweep that nodes refuse.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { zero } from '@ducat/core/money/amount';
import { offeredBy } from '@ducat/core/outgoing/build-intent';
import { MOST_OPEN_WITH_OFFERS } from '@ducat/core/outgoing/outgoing';
import { GIVE_UP_SWEEP_MS, replaceAfterMs } from '@ducat/core/outgoing/pace';
import { outbid, replacementOf } from '@ducat/core/outgoing/replacement';
import type { EvmTerms } from '@ducat/core/outgoing/terms';
import type { EvmTransferIntent } from '@ducat/core/signing/transfer-intent';
import type { PlannedTransfer } from '../../chains/port/writer.ts';
import type { DueOutgoing, Variant } from '../../db/tables/outgoing/due-outgoing.ts';
import { prepareReplacement } from '../../flows/outgoing/prepare-replacement.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedPayer } from './parts.ts';

/** `replaced` once a higher offer is prepared, or the reason why none can be; null where none is needed or possible now. */
export async function replaceIfLow(
  payer: LeasedPayer,
  one: DueOutgoing,
  { intent, ordinal, signed }: Variant,
): Promise<string | null> {
  const { definition } = payer.writer;
  const offered = offeredBy(intent);
  const isDue =
    signed !== null && payer.world.nowMs() - signed.atMs >= replaceAfterMs(definition.blockTimeMs);
  // A sender's other transactions wait for the one with the lowest nonce, whatever they offer.
  if (!isDue || !one.isFirst || one.senderStopped !== null) return null;
  if (offered === null || intent.family !== 'evm') return null;
  const plan = intent.sweeping?.type === 'nothing' ? nothingOf(definition, one) : planOf(definition, one);
  const live = plan === null ? null : await termsOf(payer, plan);
  if (live === null) return null;
  const replacement = replacementOf(offered, live, one.feeCap);
  if (replacement.kind === 'not-needed') return null;
  if (replacement.kind === 'cap-reached') return 'a higher fee would be above what it may cost';
  const { terms } = replacement;
  const isPrepared = await prepare(payer, one, { intent, ordinal, terms }, 'a transaction offers more');
  return isPrepared ? 'replaced' : null;
}

/**
 * Replaces a sweep that has been in trouble for long by a transaction of the same nonce that moves nothing. Whichever of the
 * two a block holds, each address is decided by its own transfers. True where the replacement is prepared.
 */
export async function giveUpSweep(
  payer: LeasedPayer,
  one: DueOutgoing,
  { intent, ordinal }: Variant,
): Promise<boolean> {
  const { isFirst, senderStopped, troubleSinceMs, feeCap } = one;
  if (intent.family !== 'evm' || intent.sweeping?.type !== 'sweep') return false;
  const isStuck = troubleSinceMs !== null && payer.world.nowMs() - troubleSinceMs >= GIVE_UP_SWEEP_MS;
  // mark: a-sweep-is-given-up-after-an-hour
  if (!isStuck || !isFirst || senderStopped !== null) return false;
  const live = await termsOf(payer, nothingOf(payer.writer.definition, one));
  const offered = offeredBy(intent);
  if (live === null || offered === null) return false;
  const { gasLimit } = live;
  const terms = outbid({ ...offered, gasLimit }, live, feeCap);
  if (terms === null) return false;
  const instead = { ...intent, gasLimit, sweeping: { type: 'nothing' } } as const;
  return prepare(payer, one, { intent: instead, ordinal, terms }, 'a sweep that nodes refuse is given up');
}

function planOf({ currencies }: ChainDefinition, one: DueOutgoing): PlannedTransfer | null {
  const { from, to, amount, sweeping } = one;
  const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  return currency === undefined ? null : { from, to, currency, amount, sweeping };
}

function nothingOf(definition: ChainDefinition, { from, to }: DueOutgoing): PlannedTransfer {
  const currency = nativeCurrency(definition);
  return { from, to, currency, amount: zero(currency.currencyId) };
}

/** Null where the transfer is impossible, or no provider answers now: the next look finds out. */
async function termsOf({ writer }: LeasedPayer, plan: PlannedTransfer): Promise<EvmTerms | null> {
  const live = await writer.estimate(plan).catch(nullOnOutage);
  return live?.outcome === 'possible' && live.terms.family === 'evm' ? live.terms : null;
}

function nullOnOutage(error: unknown): null {
  if (error instanceof Outage) return null;
  throw error;
}

interface Offer {
  readonly intent: EvmTransferIntent;
  readonly ordinal: number;
  readonly terms: EvmTerms;
}

async function prepare(
  { writer, transact, world, lease, log, observer }: LeasedPayer,
  { outgoingId }: DueOutgoing,
  offer: Offer,
  text: string,
): Promise<boolean> {
  const { name: chain } = writer.definition;
  const bounds = { mostOpen: MOST_OPEN_WITH_OFFERS, nowMs: world.nowMs(), lease };
  const input = { chain, outgoingId, ...offer, ...bounds };
  if (!(await transact((tx) => prepareReplacement(tx, input)))) return false;
  const { maxFeePerGas, maxPriorityFeePerGas } = offer.terms;
  const prices = { maxFeePerGas: `${maxFeePerGas}`, maxPriorityFeePerGas: `${maxPriorityFeePerGas}` };
  log.info({ flow: 'prepare-replacement', chain, outgoingId, ...prices }, text);
  observer.onReplaced(chain);
  return true;
}
