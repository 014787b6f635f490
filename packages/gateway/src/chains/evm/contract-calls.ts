// Questions to accounts and token contracts: balances at a block, and whether a token is what we take it for.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf, type Amount } from '@ducat/core/money/amount';
import type { BlockReference, CurrencyMismatch } from '../port.ts';
import { Outage } from '../../outage.ts';
import type { Endpoint } from './endpoint.ts';
import { LyingNode } from './lying-node.ts';
import { headerAnswer, isHex, toQuantity } from './raw-block.ts';
import { NodeError, type RpcRequest } from './rpc.ts';

const balanceOfSelector = '0x70a08231';
const decimalsSelector = '0x313ce567';
const word = /^0x[0-9a-fA-F]{64}$/;
const nativeDecimals = 18;
const invalidParams = -32602;
const reverted = 3;

/** Balances at exactly that block, in the order of the addresses. */
export async function readBalances(
  endpoint: Endpoint,
  addresses: readonly string[],
  currency: Currency,
  at: BlockReference,
): Promise<readonly Amount[]> {
  const answers = await askAtBlock(endpoint, at, (block) =>
    addresses.map((address) => balanceRequest(address, currency, block)),
  );
  return answers.map((answer) => {
    const valid = isHex(answer) && (currency.contract === null ? answer.length > 2 : word.test(answer));
    if (!valid) throw new LyingNode(`answered with something that is no balance of ${currency.symbol}`);
    return amountOf(currency.currencyId, BigInt(answer));
  });
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
  if (!isHex(code)) throw new LyingNode('answered with something that is no code');
  if (code === '0x') return mismatch(`there is no contract at ${currency.contract}`);
  const answer = await callDecimals(endpoint, currency.contract);
  if (!isHex(answer) || !word.test(answer))
    return mismatch(`${currency.contract} does not tell its decimals`);
  const decimals = BigInt(answer);
  if (decimals === BigInt(currency.decimals)) return null;
  return mismatch(`${currency.contract} has ${decimals} decimals, not ${currency.decimals}`);
}

async function callDecimals(endpoint: Endpoint, contract: string): Promise<unknown> {
  try {
    return await endpoint.rpc.call('eth_call', [{ to: contract, data: decimalsSelector }, 'latest']);
  } catch (error) {
    if (error instanceof NodeError && (error.code === reverted || error.message.includes('revert')))
      return null;
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
  await expectHash(endpoint, at);
  const answers = await endpoint.rpc.batch(requests(toQuantity(at.number)));
  await expectHash(endpoint, at);
  return answers;
}

async function expectHash(endpoint: Endpoint, at: BlockReference): Promise<void> {
  const header = headerAnswer(
    await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(at.number), false]),
  );
  if (header?.hash.toLowerCase() === at.hash) return;
  throw new Outage(`has another block ${at.number} than ${at.hash}`, { retryable: true });
}
