// Questions to accounts and token contracts as they are now: balances, and whether a token is what we take it for.
import type { Currency } from '@ducat/core/chain/currency';
import type { CurrencyMismatch } from '../port.ts';
import { Unanswerable } from '../endpoint/unanswerable.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { NodeApi } from './node-api.ts';
import { hexOf, integerOf, isRecord, listOf, recordOf } from './node-json.ts';
import { canonicalContract } from './watched.ts';

const nativeDecimals = 6;
const word = /^[0-9a-f]{64}$/;

/** Base units. Throws Unanswerable where the contract tells no balance, which is its doing. */
export async function balanceNow(
  api: NodeApi,
  address: string,
  { contract, symbol }: Currency,
): Promise<bigint> {
  if (contract === null) {
    // An account that was never activated is answered with an empty object, and has nothing.
    return integerOf(recordOf(await api('getaccount', { address }), 'an account')['balance'], 'a balance');
  }
  const parameter = address.slice(2).padStart(64, '0');
  const answer = await callConstant(api, contract, 'balanceOf(address)', parameter);
  if (answer === null || !word.test(answer))
    throw new Unanswerable(`${contract} tells no balance of ${symbol}`);
  return BigInt(`0x${answer}`);
}

/** What is wrong with a currency on this chain, or null. */
export async function findMismatch(api: NodeApi, currency: Currency): Promise<CurrencyMismatch | null> {
  const { currencyId, contract, symbol } = currency;
  const mismatch = (reason: string): CurrencyMismatch => ({ currencyId, reason });
  if (contract === null) {
    if (currency.decimals === nativeDecimals) return null;
    return mismatch(`${symbol} has ${nativeDecimals} decimals on Tron, not ${currency.decimals}`);
  }
  const found = recordOf(await api('getcontract', { value: canonicalContract(contract) }), 'a contract');
  if (Object.keys(found).length === 0) return mismatch(`there is no contract at ${contract}`);
  const answer = await callConstant(api, contract, 'decimals()', '');
  if (answer === null || !word.test(answer)) return mismatch(`${contract} does not tell its decimals`);
  const decimals = BigInt(`0x${answer}`);
  if (decimals === BigInt(currency.decimals)) return null;
  return mismatch(`${contract} has ${decimals} decimals, not ${currency.decimals}`);
}

/**
 * What a call answers as hex, null where it fails. A reverted call is told with `result: true`, so only `ret` counts.
 */
async function callConstant(
  api: NodeApi,
  contract: string,
  selector: string,
  parameter: string,
): Promise<string | null> {
  const contract_address = canonicalContract(contract);
  const answer = recordOf(
    await api('triggerconstantcontract', {
      owner_address: contract_address,
      contract_address,
      function_selector: selector,
      parameter,
    }),
    'a call',
  );
  const { result } = recordOf(answer['result'], 'the result of a call');
  const transaction = isRecord(answer['transaction']) ? answer['transaction'] : {};
  const failed = listOf(transaction['ret'], 'results').some(({ ret }) => ret === 'FAILED');
  if (result !== true || failed) return null;
  const values = answer['constant_result'];
  if (!Array.isArray(values)) throw new LyingNode('answered a call without its result');
  return hexOf(values[0], 'the result of a call');
}
