// Gives outgoing transactions of one sender their places, and stores the whole intents that the signer is asked for.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { Amount } from '@ducat/core/money/amount';
import { buildIntent, type SendingPlace } from '@ducat/core/outgoing/build-intent';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import { nonceRoom, TRON_LIFE_MS } from '@ducat/core/outgoing/outgoing';
import type { SendingTerms } from '@ducat/core/outgoing/terms';
import type { KeyPath } from '@ducat/core/signing/key-path';
import type { IntentSubject, Sweeping } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { findBlock } from '../../db/tables/blocks.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { type Sender, lockSender, takeNonces, takeTimestamps } from '../../db/tables/outgoing/senders.ts';
import { countOpenVariants } from '../../db/tables/outgoing/inclusions.ts';
import { lockWaiting } from '../../db/tables/outgoing/requests.ts';
import { insertVariants, type NewVariant } from '../../db/tables/outgoing/variants.ts';

/** A waiting outgoing transaction, with the fees that it offers. */
export interface Preparable {
  readonly outgoingId: string;
  readonly subject: IntentSubject;
  readonly key: KeyPath;
  readonly currency: Currency;
  readonly to: string;
  readonly amount: Amount;
  readonly delegation: Delegation | null;
  readonly sweeping: Sweeping | null;
  readonly terms: SendingTerms;
  /** The ordinal of its last variant; 0 where it has none yet. */
  readonly lastOrdinal: number;
}

export interface PrepareOutgoing {
  readonly chain: Pick<ChainDefinition, 'name' | 'family' | 'chainId'>;
  readonly senderId: number;
  /** The transactions to prepare, in the order in which they are to be sent. */
  readonly ready: readonly Preparable[];
  /** The most open variants that a chain may have. At this limit nothing more is prepared until some are final. */
  readonly mostOpen: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export type PreparedOutgoing =
  /** The first `count` transactions were prepared. The others wait until blocks hold transactions of the sender. */
  | { readonly outcome: 'prepared'; readonly count: number }
  /** Nothing was written: chain or sender is stopped or not known well enough yet, or too much is open. */
  | { readonly outcome: 'not-now'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

/** One database transaction gives out the nonce and stores the intent, so that no nonce is without a transfer. */
export async function prepareOutgoing(tx: Tx, input: PrepareOutgoing): Promise<PreparedOutgoing> {
  const { chain, senderId, nowMs, lease } = input;
  if (!(await holdsLease(tx, payLease(chain.name), lease))) return { outcome: 'lease-lost' };
  const cursor = await lockCursor(tx, chain.name, nowMs);
  // mark: nothing-is-signed-on-a-halted-chain
  if (cursor.haltedReason !== null) return notNow(`the chain is halted: ${cursor.haltedReason}`);
  const sender = await lockSender(tx, senderId);
  assert(sender !== null, `sender ${senderId} is there`);
  if (sender.stoppedReason !== null) return notNow(sender.stoppedReason);
  // mark: no-more-than-blocks-are-asked-for
  const room = input.mostOpen - (await countOpenVariants(tx, chain.name, input.mostOpen));
  if (room <= 0) return notNow(`${input.mostOpen} transactions of the chain are signed and not final`);
  // A transaction that was cancelled meanwhile would leave its nonce unused. One that a block holds would be paid twice.
  // mark: what-a-block-holds-is-not-built-anew
  const standing = await lockWaiting(
    tx,
    input.ready.map(({ outgoingId }) => outgoingId),
  );
  const ready = input.ready.filter(({ outgoingId }) => standing.has(outgoingId)).slice(0, room);
  const places = await takePlaces(tx, { ...input, ready }, sender, cursor);
  if (typeof places === 'string') return notNow(places);
  const variants = places.flatMap((place, index) => {
    const one = ready[index];
    return one === undefined ? [] : [variantOf(chain, one, place)];
  });
  const move = { from: 'waiting', to: 'prepared', nowMs };
  const written = await insertVariants(tx, chain.name, variants, move);
  assert(written === variants.length && written === places.length, 'each place has its transaction');
  return { outcome: 'prepared', count: written };
}

function notNow(reason: string): PreparedOutgoing {
  return { outcome: 'not-now', reason };
}

function variantOf(chain: PrepareOutgoing['chain'], one: Preparable, place: SendingPlace): NewVariant {
  const { outgoingId, lastOrdinal, ...parts } = one;
  const isTron = place.family === 'tron';
  return {
    outgoingId,
    ordinal: lastOrdinal + 1,
    intent: buildIntent({ chain, place, ...parts }),
    nonce: isTron ? null : place.nonce,
    expiresAtMs: isTron ? place.expirationMs : null,
    reference: isTron ? place.reference.number : null,
  };
}

interface Heights {
  readonly finalNumber: number | null;
  readonly headTime: number | null;
}

/** Returns a place for each transaction that fits, or a text that says why there are none now. */
async function takePlaces(
  tx: Tx,
  { chain, senderId, ready, nowMs }: PrepareOutgoing,
  sender: Sender,
  { finalNumber, headTime }: Heights,
): Promise<readonly SendingPlace[] | string> {
  const final = finalNumber === null ? null : await findBlock(tx, chain.name, finalNumber);
  if (final === null || headTime === null) return 'no block of the chain is final yet';
  if (chain.family === 'evm') {
    if (sender.nextNonce === null || sender.finalNonce === null)
      return 'the nonce of the sender is not known yet';
    // mark: no-gaps-and-few-in-flight
    const nonces = await takeNonces(tx, senderId, Math.min(nonceRoom(sender), ready.length));
    return nonces.map((nonce) => ({ family: 'evm', nonce }));
  }
  // Counted from the time of the head, because the chain compares the expiry with block times.
  const expirationMs = headTime * 1_000 + TRON_LIFE_MS;
  if (expirationMs <= nowMs) return 'the books are too far behind the chain';
  const first = await takeTimestamps(tx, senderId, ready.length, nowMs);
  return ready.map((_, index) => ({
    family: 'tron',
    reference: { number: final.number, hash: final.hash },
    expirationMs,
    timestampMs: first + index,
  }));
}
