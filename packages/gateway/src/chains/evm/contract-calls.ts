// Questions to accounts and token contracts: balances at a block, and whether a token is what we take it for.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf, type Amount } from '@ducat/core/money/amount';
import type { BlockReference, CurrencyMismatch } from '../port.ts';
import { Unanswerable } from '../endpoint/unanswerable.ts';
import type { Endpoint } from './endpoint.ts';
import { expectBlock } from './expect-block.ts';
import { isData, isHash, isQuantity } from './hex-text.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { toQuantity } from './raw-block.ts';
import { NodeError, type RpcRequest } from './rpc.ts';

const balanceOfSelector = '0x70a08231';
const decimalsSelector = '0x313ce567';
const nativeDecimals = 18;
const invalidParams = -32602;

/**
 * Balances at exactly that block, in the order of the addresses. Throws Unanswerable where the node asked the
 * contract and got no balance out of it, which is the contract's doing.
 */
export async function readBalances(
  endpoint: Endpoint,
  addresses: readonly string[],
  currency: Currency,
  at: BlockReference,
): Promise<readonly Amount[]> {
  const answers = await askAtBlock(endpoint, at, (block) =>
    addresses.map((address) => balanceRequest(address, currency, block)),
  ).catch((error: unknown) => refused(error, currency));
  return answers.map((answer) => amountOf(currency.currencyId, unitsIn(answer, currency)));
}

function unitsIn(answer: unknown, { contract, symbol }: Currency): bigint {
  if (contract === null ? isQuantity(answer) : isHash(answer)) return BigInt(String(answer));
  if (contract !== null && isData(answer))
    throw new Unanswerable(`${contract} tells no balance of ${symbol}`);
  throw new LyingNode(`answered with something that is no balance of ${symbol}`);
}

function refused(error: unknown, { contract, symbol }: Currency): never {
  if (contract === null || !(error instanceof NodeError) || !error.isOfTheCall) throw error;
  throw new Unanswerable(`cannot tell the balances of ${symbol}: ${error.message}`);
}

/** What is wrong with a currency on this chain, or null. */
export async function findMismatch(endpoint: Endpoint, currency: Currency): Promise<CurrencyMismatch | null> {
  const mismatch = (reason: string): CurrencyMismatch => ({ currencyId: currency.currencyId, reason });
  if (currency.contract === null) {
    if (currency.decimals === nativeDecimals) return null;
    return mismatch(
      `${currency.symbol} has ${nativeDecimals} decimals on every EVM chain, not ${currency.decimals}`,
    );
  }
  const code = await endpoint.rpc.call('eth_getCode', [currency.contract, 'latest']);
  if (!isData(code)) throw new LyingNode('answered with something that is no code');
  if (code === '0x') return mismatch(`there is no contract at ${currency.contract}`);
  const answer = await callDecimals(endpoint, currency.contract);
  if (answer instanceof NodeError)
    return mismatch(`${currency.contract} does not tell its decimals: the node ${answer.message}`);
  if (!isHash(answer)) return mismatch(`${currency.contract} does not tell its decimals`);
  const decimals = BigInt(answer);
  if (decimals === BigInt(currency.decimals)) return null;
  return mismatch(`${currency.contract} has ${decimals} decimals, not ${currency.decimals}`);
}

/** The answer, or the error with which the call itself failed, which is the contract's doing. */
async function callDecimals(endpoint: Endpoint, contract: string): Promise<unknown> {
  try {
    return await endpoint.rpc.call('eth_call', [{ to: contract, data: decimalsSelector }, 'latest']);
  } catch (error) {
    if (error instanceof NodeError && error.isOfTheCall) return error;
    throw error;
  }
}

function balanceRequest(address: string, currency: Currency, block: unknown): RpcRequest {
  if (currency.contract === null) return { method: 'eth_getBalance', params: [address, block] };
  const data = balanceOfSelector + address.slice(2).padStart(64, '0');
  return { method: 'eth_call', params: [{ to: currency.contract, data }, block] };
}

/** By block hash (EIP-1898); where a node does not know that, by number with the hash compared on both sides. */
async function askAtBlock(
  endpoint: Endpoint,
  at: BlockReference,
  requests: (block: unknown) => readonly RpcRequest[],
): Promise<readonly unknown[]> {
  try {
    return await endpoint.rpc.batch(requests({ blockHash: at.hash }));
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== invalidParams) throw error;
  }
  await expectBlock(endpoint, at);
  const answers = await endpoint.rpc.batch(requests(toQuantity(at.number)));
  await expectBlock(endpoint, at);
  return answers;
}
