// Public ids: a prefix and Crockford base32 in lower case, made from bytes and a time that the caller hands in.

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHARACTER = 5n;
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 20;

/** Bytes of chance that every id here takes: 104 bits, of which 100 are used. */
export const ID_RANDOM_BYTES = 13;

/** `ord_`, the creation time in milliseconds, 100 random bits: ordered by time and not to be guessed (decision B6). */
export function tradeNo(nowMs: number, random: Uint8Array): string {
  return `ord_${encode(BigInt(nowMs), TIME_CHARACTERS)}${randomPart(random)}`;
}

/** The public name of an app. */
export function newAppId(random: Uint8Array): string {
  return `app_${randomPart(random)}`;
}

/** The public name of a merchant. */
export function newMerchantId(random: Uint8Array): string {
  return `mer_${randomPart(random)}`;
}

/** The name of one event, stable over all its attempts. */
export function newEventId(random: Uint8Array): string {
  return `evt_${randomPart(random)}`;
}

/** The name of one request in answers and logs. */
export function requestId(random: Uint8Array): string {
  return `req_${randomPart(random)}`;
}

function randomPart(random: Uint8Array): string {
  let bits = 0n;
  for (const byte of random.subarray(0, ID_RANDOM_BYTES)) bits = (bits << 8n) | BigInt(byte);
  return encode(bits, RANDOM_CHARACTERS);
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
