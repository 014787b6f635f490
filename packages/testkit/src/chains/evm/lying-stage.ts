// A dev node with one block that pays, seen through an honest proxy and through one that lies when it is told to.
import type { Currency } from '@ducat/core/chain/currency';
import type { ChainPort } from '@ducat/gateway/chains/port';
import { isRecord } from '@ducat/gateway/chains/evm/raw-block';
import { createEvmChain } from '@ducat/gateway/chains/evm/evm-chain';
import { AnvilPayer } from './anvil-payer.ts';
import { mintSelector, tokenCall, tokenCode } from './evm-contracts.ts';
import { type LyingProxy, startLyingProxy, type Tamper } from './lying-proxy.ts';
import { type ManualWorld, manualWorld } from '../manual-world.ts';
import { testCurrency, testDefinition } from '../test-currencies.ts';

/** Who is paid in the block: twice 5 units of the token, and 7 wei. */
export const recipient = `0x${'b0'.repeat(20)}`;

/** What every chain of the stage admits: a dev node's first block differs from start to start. */
export const unstatedGenesis =
  'No genesis_hash is stated, so only the chain id tells this chain from another one.';

export interface LyingStage {
  readonly payer: AnvilPayer;
  readonly liar: LyingProxy;
  readonly honest: LyingProxy;
  /** The number of the block that pays; six empty ones follow. */
  readonly block: number;
  readonly currencies: readonly Currency[];
  chainOf(urls: readonly string[], world?: ManualWorld, change?: object): ChainPort;
  stop(): Promise<void>;
}

export async function startLyingStage(): Promise<LyingStage> {
  const payer = await AnvilPayer.start();
  const token = await payer.deploy(tokenCode());
  const currencies = [testCurrency(1000, null, 18), testCurrency(1001, token)];
  // Two mints of the same amount to the same address: without one of them the bloom would be the same.
  const mint = { to: token, data: tokenCall(mintSelector, recipient, 5n) };
  const native = { to: recipient, value: 7n, gas: 21_000 };
  const { block } = await payer.sendAndMine(mint, mint, native, { to: token, data: '0x' });
  await payer.chain.mine(6);
  const liar = await startLyingProxy(payer.chain.rpcUrl);
  const honest = await startLyingProxy(payer.chain.rpcUrl);
  return {
    payer,
    liar,
    honest,
    block,
    currencies,
    chainOf: (rpcUrls, world = manualWorld(), change = {}) =>
      createEvmChain({ definition: testDefinition({ currencies, ...change }), rpcUrls, world }),
    async stop() {
      await liar.stop();
      await honest.stop();
      await payer.chain.stop();
    },
  };
}

/** Changes the answers to one method, except where the answer is null. */
export function tamper(name: string, change: (result: unknown) => unknown): Tamper {
  return (method, result) => (method === name && result !== null ? change(result) : result);
}

/** Changes what lies at a path such as `0.logs.0.data`; a change to undefined leaves the field out. */
export function put(path: string, value: unknown): (json: unknown) => unknown {
  return at(path, () => value);
}

/** As `put`, from what was there. */
export function at(path: string, change: (old: unknown) => unknown): (json: unknown) => unknown {
  const [key = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? change : at(rest.join('.'), change);
  return (json) => {
    if (Array.isArray(json)) return json.with(Number(key), inner(json[Number(key)]));
    if (isRecord(json)) return { ...json, [key]: inner(json[key]) };
    throw new Error(`there is nothing at ${path}`);
  };
}

/** A change of a list as a whole. */
export function list(change: (items: readonly unknown[]) => unknown): (json: unknown) => unknown {
  return (json) => {
    if (!Array.isArray(json)) throw new Error('there is no list');
    return change(json);
  };
}
