// Many balances in one call of code that comes with it: no contract has to be on the chain, and none is made.

/**
 * Compiled from this Yul by solc 0.8.37 (evmVersion paris, optimized). Behind the code come a token (0 for native coin) and
 * the holders, 20 bytes each. The returned data is the block's number, the hash of the block before, and a word for each
 * holder. EVM chains treat it as the code of a contract: they bound it at 24,576 bytes and charge for it, and the number's
 * leading zeros are what returned code must begin with. Each call of the token has its own limit of gas: the dearest known
 * tokens take 60,000, and a token that burns all its gas spoils no other balance.
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
 *           let done := staticcall(300000, token, 0, 36, out, 32)
 *           if or(iszero(done), lt(returndatasize(), 32)) { mstore(out, not(0)) }
 *         }
 *       }
 *       return(64, sub(add(out, 32), 64))
 *     } }
 */
const code =
  '607f601481600c396000514360405260001943014060605260146060926370a0823160e01b60005201905b388210603957601f1983016040f35b9091' +
  '6020601491019281816010398215607257602084602460008662' +
  '0493e0fa1560203d10176069575b0190602a565b60001984526063565b60105160601c318452606356';
const addressDigits = 40;
const wordDigits = 64;
/** What the code stores for a holder whose balance the token did not give. */
const noBalance = 2n ** 256n - 1n;

/** Call data as hex. Of each address only the last 20 bytes are used. A token of null is native coin. */
export function multicallData(token: string | null, holders: readonly string[]): string {
  return (
    code + [token ?? '0'.repeat(addressDigits), ...holders].map((one) => one.slice(-addressDigits)).join('')
  );
}

export interface MulticallAnswer {
  /** Height of the block whose state the balances are of. */
  readonly at: number;
  /** Hash of the block before that one. */
  readonly parentHash: string;
  /** Base units in the order of the holders; null where the token gave no balance. */
  readonly units: readonly (bigint | null)[];
}

/** Null where the data is not an answer for this number of holders. */
export function readMulticall(data: string, holders: number): MulticallAnswer | null {
  const words = data.match(/[0-9a-fA-F]{64}/g) ?? [];
  const [number = '', parentHash = '', ...balances] = words;
  const at = Number(`0x${number}`);
  const isWhole = words.length === holders + 2 && data.length === words.length * wordDigits;
  if (!isWhole || !Number.isSafeInteger(at)) return null;
  const units = balances.map((word) => BigInt(`0x${word}`));
  return { at, parentHash, units: units.map((one) => (one === noBalance ? null : one)) };
}
