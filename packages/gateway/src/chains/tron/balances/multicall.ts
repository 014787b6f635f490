// Many balances in one call: the code comes with it, needs no contract on the chain, and reverts with its answer.

/**
 * Made by solc 0.8.37 (evmVersion paris, optimized) of this Yul. What follows the code is a token (0 for TRX), then
 * holders, 20 bytes each; what it reverts with is the block's number, then a word for each holder. A holder of whom the
 * token says nothing has all bits set. Each call of the token has its own limit of energy, as one token could burn all.
 *
 *     object "Balances" { code {
 *       let holders := add(datasize("Balances"), 20)
 *       codecopy(12, datasize("Balances"), 20)
 *       let token := mload(0)
 *       let out := 64
 *       mstore(out, number())
 *       mstore(0, shl(224, 0x70a08231))
 *       for { let at := holders } lt(at, codesize()) { at := add(at, 20) } {
 *         out := add(out, 32)
 *         codecopy(16, at, 20)
 *         switch token
 *         case 0 { mstore(out, balance(shr(96, mload(16)))) }
 *         default {
 *           let done := staticcall(300000, token, 0, 36, out, 32)
 *           if or(iszero(done), lt(returndatasize(), 32)) { mstore(out, not(0)) }
 *         }
 *       }
 *       revert(64, sub(add(out, 32), 64))
 *     } }
 */
const code =
  '6075601481600c3960005160146040924384526370a0823160e01b60005201905b388210602f57601f1983016040fd5b9091602060149101928181' +
  '60103982156068576020846024600086620493e0fa1560203d1017605f575b01906020565b60001984526059565b60105160601c318452605956';
const wordDigits = 64;
const noAnswer = 2n ** 256n - 1n;

/** Addresses are 21 bytes as hex; a token of null is TRX. */
export function multicallData(token: string | null, holders: readonly string[]): string {
  return code + (token?.slice(2) ?? '0'.repeat(40)) + holders.map((holder) => holder.slice(2)).join('');
}

export interface MulticallAnswer {
  /** Height of the block after which the balances are. */
  readonly at: number;
  /** In the order of the holders; null for one of whom the token says nothing. */
  readonly units: readonly (bigint | null)[];
}

/** Null where it is no answer for so many holders. */
export function readMulticall(data: string, holders: number): MulticallAnswer | null {
  const words = data.match(/[0-9a-f]{64}/g) ?? [];
  const [number, ...units] = words.map((word) => BigInt(`0x${word}`));
  if (data.length !== (holders + 1) * wordDigits || number === undefined) return null;
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return { at: Number(number), units: units.map((one) => (one === noAnswer ? null : one)) };
}
