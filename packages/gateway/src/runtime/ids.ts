// Public ids: a prefix, 48 bits of time and 100 bits of chance, in an alphabet whose order is the order of the numbers.
import type { World } from './world.ts';

/** Crockford's base32 in lower case: sorted as bytes, ids stand in the order of their time. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** The last second that fits ten digits. */
const LAST_SECOND = 9_999_999_999;
/** 104 bits, of which 100 are used. */
const RANDOM_BYTES = 13;
/** How many values the 50 bits of a half have. */
const HALF_VALUES = 2 ** 50;

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
  let chance: Chance = { high: 0, low: 0 };
  return () => {
    const nowMs = source.nowMs();
    chance = nowMs === lastMs ? next(chance) : takeChance(source);
    lastMs = nowMs;
    return idOf(prefix, nowMs, chance);
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
  return `${prefix}_${encode(atMs)}`;
}

/** When an id was made, Unix seconds; 0 for a text of another form. */
export function secondOfId(id: string): number {
  const [, time = ''] = /^[a-z]{3}_([0-9a-hjkmnp-tv-z]{10})/.exec(id) ?? [];
  let ms = 0;
  for (const character of time) ms = ms * ALPHABET.length + ALPHABET.indexOf(character);
  return Math.min(LAST_SECOND, Math.floor(ms / 1000));
}

/** The 100 bits of chance of an id, in two halves. */
interface Chance {
  readonly high: number;
  readonly low: number;
}

function newId(prefix: IdPrefix, source: Source): string {
  return idOf(prefix, source.nowMs(), takeChance(source));
}

function idOf(prefix: IdPrefix, atMs: number, { high, low }: Chance): string {
  return firstIdAt(prefix, atMs) + encode(high) + encode(low);
}

/** The lowest 100 bits of the bytes. The seventh byte belongs to both halves. */
function takeChance(source: Source): Chance {
  const bytes = source.random(RANDOM_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, RANDOM_BYTES);
  const middle = view.getUint8(6);
  return {
    high: ((view.getUint16(0) % 2 ** 12) * 2 ** 32 + view.getUint32(2)) * 2 ** 6 + (middle >>> 2),
    low: ((middle % 4) * 2 ** 16 + view.getUint16(7)) * 2 ** 32 + view.getUint32(9),
  };
}

function next({ high, low }: Chance): Chance {
  return low + 1 < HALF_VALUES ? { high, low: low + 1 } : { high: (high + 1) % HALF_VALUES, low: 0 };
}

/** Ten characters for a number of at most 50 bits, the highest bits first. Milliseconds fill 48 until the year 10889. */
function encode(value: number): string {
  // Operators on bits take 32 of them.
  const [high, low] = [Math.floor(value / 2 ** 30), value % 2 ** 30];
  return pair(high >>> 10) + pair(high) + pair(low >>> 20) + pair(low >>> 10) + pair(low);
}

const CHARACTERS = ALPHABET.split('');
const PAIRS = CHARACTERS.flatMap((first) => CHARACTERS.map((second) => first + second));

/** Two characters for the lowest ten bits of a number. */
function pair(bits: number): string {
  return PAIRS[bits & 1023] ?? '';
}
