// Whether a token is what the catalogue takes it for.
import type { Currency } from '@ducat/core/chain/currency';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';

const decimalsSelector = '0x313ce567';
const nativeDecimals = 18;
const word = /^0x[0-9a-fA-F]{64}$/;
const code = /^0x(?:[0-9a-fA-F]{2})*$/;

/** What is wrong with a currency on this chain, in words; null where nothing is. */
export async function checkCurrency(rpc: JsonRpc, currency: Currency): Promise<string | null> {
  const { contract, decimals, symbol } = currency;
  if (contract === null) {
    if (decimals === nativeDecimals) return null;
    return `${symbol} has ${nativeDecimals} decimals on every EVM chain, not ${decimals}`;
  }
  const found = await rpc.call('eth_getCode', [contract, 'latest']);
  if (typeof found !== 'string' || !code.test(found))
    throw invalidAnswer('answered with something that is no code');
  if (found === '0x') return `there is no contract at ${contract}`;
  let answer: unknown;
  try {
    answer = await rpc.call('eth_call', [{ to: contract, data: decimalsSelector }, 'latest']);
  } catch (error) {
    // The call itself failed, which is the contract's doing.
    if (!(error instanceof NodeError) || !error.isOfTheCall) throw error;
    return `${contract} does not give its decimals: the node ${error.message}`;
  }
  if (typeof answer !== 'string' || !word.test(answer)) return `${contract} does not give its decimals`;
  return BigInt(answer) === BigInt(decimals)
    ? null
    : `${contract} has ${BigInt(answer)} decimals, not ${decimals}`;
}
