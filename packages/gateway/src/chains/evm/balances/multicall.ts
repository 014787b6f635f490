// Many balances in one eth_call that creates no contract: its init code looks them up and gives them back.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';

/**
 * How the answer comes back. Reverted data may be any size; returned data counts as the code of a contract, which the
 * chain bounds at 24,576 bytes and charges for. Providers may drop the data of a revert, so both are tried.
 */
export type MulticallForm = 'revert' | 'return';

const ends: Readonly<Record<MulticallForm, string>> = { revert: 'fd', return: 'f3' };
const wordDigits = 64;
/** What the code stores for a holder whose balance the token did not give. */
const noBalance = 2n ** 256n - 1n;

/**
 * Made by solc 0.8.37 (evmVersion paris, optimized) of this Yul, up to the instruction that ends it and behind it. What
 * follows the code is a token (0 for native coin), then holders, 20 bytes each; what it gives back is the block's number,
 * which begins with zeros as returned code must, the hash of the block before, and a word for each holder. A call of the
 * token has its own limit of gas: the dearest known take 60,000, and one that burns all spoils no other.
 *
 *     object "Balances" { code {
 *       let holders := add(datasize("Balances"), 20)
 *       codecopy(12, datasize("Balances"), 20)
 *       let token := mload(0)
 *       mstore(64, number())
 *       mstore(96, blockhash(sub(number(), 1)))
 *       let out := 96
 *       mstore(0, shl(224, 0x70a08231))
 *       for { let at := holders } lt(at, codesize()) { at := add(at, 20) } {
 *         out := add(out, 32)
 *         codecopy(16, at, 20)
 *         switch token
 *         case 0 { mstore(out, balance(shr(96, mload(16)))) }
 *         default {
 *           let done := staticcall(200000, token, 0, 36, out, 32)
 *           if or(iszero(done), lt(returndatasize(), 32)) { mstore(out, not(0)) }
 *         }
 *       }
 *       revert(64, sub(add(out, 32), 64))
 *     } }
 */
const code = [
  '607f601481600c396000514360405260001943014060605260146060926370a0823160e01b60005201905b388210603957601f1983016040',
  '5b90916020601491019281816010398215607257602084602460008662030d40fa1560203d10176069575b0190602a565b600019845260' +
    '63565b60105160601c318452606356',
] as const;

/** `data` of an eth_call without `to`. `token` is null for the native currency; addresses are `0x` and 40 digits. */
export function multicallData(form: MulticallForm, token: string | null, holders: readonly string[]): string {
  const addresses = [token ?? `0x${'0'.repeat(40)}`, ...holders];
  return `0x${code.join(ends[form])}${addresses.map((address) => address.slice(2)).join('')}`;
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
