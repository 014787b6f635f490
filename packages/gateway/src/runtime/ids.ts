// Public ids: a prefix, 48 bits of time and 100 bits of chance, in an alphabet whose order is the order of the numbers.
import type { World } from './world.ts';

/** Crockford's base32 in lower case: sorted as bytes, ids stand in the order of their time. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHARACTER = 5n;
/** 50 bits, of which milliseconds fill 48 until the year 10889. */
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 20;
/** The last second that fits ten digits. */
const LAST_SECOND = 9_999_999_999;
/** 104 bits, of which 100 are used. */
const RANDOM_BYTES = 13;

export type IdPrefix =
  | 'ord'
  | 'pay'
  | 'app'
  | 'mer'
  | 'evt'
  | 'req'
  | 'out'
  | 'col'
  | 'top'
  | 'swp'
  | 'str'
  | 'cld'
  | 'per'
  | 'ses'
  | 'inv'
  | 'mai'
  | 'cal';

/** Where time and chance come from. */
type Source = Pick<World, 'nowMs' | 'random'>;

/** The public number of an order: ordered by time and not to be guessed (decision B6). */
export function newTradeNo(source: Source): string {
  return newId('ord', source);
}

/** The public number of a payout, as that of an order. */
export function newPayoutNo(source: Source): string {
  return newId('pay', source);
}

/** The public name of an app. */
export function newAppId(source: Source): string {
  return newId('app', source);
}

/** The public name of a merchant. */
export function newMerchantId(source: Source): string {
  return newId('mer', source);
}

/** Makes ids of events, each stable over all attempts to deliver its event. Ids of one transaction sort in their order. */
export function createEventIds(source: Source): () => string {
  return createOrderedIds('evt', source);
}

/** Makes ids of calls in the log of the API, which sort in their order. */
export function createCallIds(source: Source): () => string {
  return createOrderedIds('cal', source);
}

/** Ids of one millisecond sort in the order in which they were made. */
function createOrderedIds(prefix: IdPrefix, source: Source): () => string {
  let lastMs = -1;
  let bits = 0n;
  return () => {
    const nowMs = source.nowMs();
    bits = nowMs === lastMs ? bits + 1n : randomBits(source);
    lastMs = nowMs;
    return idOf(prefix, nowMs, bits);
  };
}

/** The name of an outgoing transaction. */
export function newOutgoingId(source: Source): string {
  return newId('out', source);
}

/** The name of an attempt to empty a deposit address of a currency. */
export function newCollectionId(source: Source): string {
  return newId('col', source);
}

/** The name of coin sent to a wallet for the fees of its payouts. */
export function newTopUpId(source: Source): string {
  return newId('top', source);
}

/** The name of a sweep of many addresses, or of the transaction that makes their sweeper. */
export function newSweepId(source: Source): string {
  return newId('swp', source);
}

/** The name of a return of energy that no collection asked for. */
export function newStrayId(source: Source): string {
  return newId('str', source);
}

/** The name of a transfer to cold storage. */
export function newColdTransferId(source: Source): string {
  return newId('cld', source);
}

/** The name of a person on the dashboard. */
export function newPersonId(source: Source): string {
  return newId('per', source);
}

/** The id of a dashboard session, which grants no access. */
export function newSessionId(source: Source): string {
  return newId('ses', source);
}

/** The id of an invitation, which grants no access. */
export function newInvitationId(source: Source): string {
  return newId('inv', source);
}

/** The name of a mail. */
export function newMailId(source: Source): string {
  return newId('mai', source);
}

/** The name of one request in responses and logs. */
export function newRequestId(source: Source): string {
  return newId('req', source);
}

/** A text that sorts before every id of this kind made at `atMs` (milliseconds) or later, and after all earlier ids. */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  return `${prefix}_${encode(BigInt(atMs), TIME_CHARACTERS)}`;
}

/** When an id was made, Unix seconds; 0 for a text of another form. */
export function secondOfId(id: string): number {
  const [, time = ''] = /^[a-z]{3}_([0-9a-hjkmnp-tv-z]{10})/.exec(id) ?? [];
  let ms = 0;
  for (const character of time) ms = ms * ALPHABET.length + ALPHABET.indexOf(character);
  return Math.min(LAST_SECOND, Math.floor(ms / 1000));
}

function newId(prefix: IdPrefix, source: Source): string {
  return idOf(prefix, source.nowMs(), randomBits(source));
}

function idOf(prefix: IdPrefix, atMs: number, bits: bigint): string {
  return firstIdAt(prefix, atMs) + encode(bits, RANDOM_CHARACTERS);
}

function randomBits(source: Source): bigint {
  let bits = 0n;
  for (const byte of source.random(RANDOM_BYTES)) bits = (bits << 8n) | BigInt(byte);
  return bits;
}

/** The lowest bits of a number, five a character, the highest first. */
function encode(value: bigint, characters: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < characters; i++) {
    text = ALPHABET.charAt(Number(rest & 31n)) + text;
    rest >>= BITS_PER_CHARACTER;
  }
  return text;
}
