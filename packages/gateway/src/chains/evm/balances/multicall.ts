// Many balances in one eth_call that creates no contract: its init code looks them up and gives them back.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { tokenCallGas } from '../../rpc/limits.ts';

/**
 * How the answer comes back. Reverted data may be any size; returned data counts as the code of a contract, which the
 * chain bounds at 24,576 bytes and charges for. Providers may drop the data of a revert, so both are tried.
 */
export type MulticallForm = 'revert' | 'return';

const ends: Readonly<Record<MulticallForm, string>> = { revert: 'fd', return: 'f3' };
const wordDigits = 64;
/** What the code stores for a holder whose balance the token did not give. */
const noBalance = 2n ** 256n - 1n;

// The data is code, token (for tokens), holders. On the stack: where the next word goes (q) and the next holder (p).
// The first words of the answer are NUMBER and BLOCKHASH(NUMBER - 1); a number begins with zeros, as returned code must.
const nextHolder = '6014 01 90 6020 01 90'; // p += 20; q += 32
const nativeCode = [
  '43 6020 52', // memory[0x20] = NUMBER
  '6001 43 03 40 6040 52', // memory[0x40] = BLOCKHASH(NUMBER - 1)
  '6060 60LL', // q = 0x60; p = the end of the code
  '5b 80 38 11 15 60EE 57', // loop: if not CODESIZE > p, go to the end
  '6014 81 600c 39', // copy the holder to the end of memory[0]
  '6000 51 31 82 52', // memory[q] = BALANCE(holder)
  `${nextHolder} 60OO 56`,
  '5b 50 6020 90 03 6020', // end: q - 0x20 bytes from 0x20
].join(' ');
const tokenCode = [
  '63 70a08231 60e0 1b 6000 52', // memory[0] = the selector of balanceOf(address)
  '43 6060 52', // memory[0x60] = NUMBER
  '6001 43 03 40 6080 52', // memory[0x80] = BLOCKHASH(NUMBER - 1)
  '6014 60LL 604c 39 6040 51', // the token, from the end of the code
  '60a0 60LL 6014 01', // q = 0xa0; p = behind the token
  '5b 80 38 11 15 60EE 57', // loop: if not CODESIZE > p, go to the end
  '6014 81 6010 39', // copy the holder to the argument of balanceOf
  '6020 6040 6024 6000 86 62GGGGGG fa', // ok = STATICCALL(gas, token, memory[0..36]) to memory[0x40]
  '601f 3d 11 16', // good = ok and RETURNDATASIZE > 31
  '80 6040 51 02 90 15 6000 03 17', // good ? memory[0x40] : 2^256 - 1
  '82 52', // memory[q] = that
  `${nextHolder} 60OO 56`,
  '5b 50 6060 90 03 6060', // end: q - 0x60 bytes from 0x60
].join(' ');

/** `data` of an eth_call without `to`. `token` is null for the native currency; addresses are `0x` and 40 digits. */
export function multicallData(form: MulticallForm, token: string | null, holders: readonly string[]): string {
  const code = assembled(token === null ? nativeCode : tokenCode) + ends[form];
  return `0x${code}${token?.slice(2) ?? ''}${holders.map((holder) => holder.slice(2)).join('')}`;
}

/** Puts the places of its own loop, its end, its length and the gas of one call into the code. */
function assembled(listing: string): string {
  const code = listing.replaceAll(' ', '').replace('GGGGGG', tokenCallGas.toString(16).padStart(6, '0'));
  const places = { LL: code.length + 2, EE: code.lastIndexOf('5b50'), OO: code.indexOf('5b8038') };
  let filled = code;
  for (const [name, digits] of Object.entries(places))
    filled = filled.replaceAll(name, (digits / 2).toString(16).padStart(2, '0'));
  return filled;
}

export interface MulticallAnswer {
  readonly number: number;
  /** Of the block before. */
  readonly parentHash: string;
  /** In the order of the holders; null where the token gave none. */
  readonly balances: readonly (bigint | null)[];
}

/** Null where the data is not as long as that answer, so that it is none. */
export function readMulticall(data: string, holders: number): MulticallAnswer | null {
  if (data.length !== 2 + (holders + 2) * wordDigits || !/^0x[0-9a-fA-F]*$/.test(data)) return null;
  const word = (index: number): string =>
    `0x${data.slice(2 + index * wordDigits, 2 + (index + 1) * wordDigits)}`;
  const number = Number(word(0));
  if (!Number.isSafeInteger(number)) throw invalidAnswer('answered with balances of no block');
  const balances = Array.from({ length: holders }, (_, index) => {
    const units = BigInt(word(index + 2));
    return units === noBalance ? null : units;
  });
  return { number, parentHash: word(1).toLowerCase(), balances };
}

/** The argument of a call of `balanceOf`. */
export function balanceOfData(holder: string): string {
  return `0x70a08231${holder.slice(2).padStart(wordDigits, '0')}`;
}
