// One real EVM dev node of a run, with tokens, payers' accounts, forks, and a proxy through which the gateway asks it.
import type { EvmChain, ReorgInsertion } from '@ducat/devnet/evm-chain';
import { startEvmChain } from '@ducat/devnet/evm-chain';
import type { Faucet } from '@ducat/devnet/faucet';
import { createFaucet } from '@ducat/devnet/faucet';
import { asHex, fetchHeader } from '@ducat/devnet/json-rpc';
import type { TcpProxy } from '@ducat/devnet/tcp-proxy';
import { startTcpProxy } from '@ducat/devnet/tcp-proxy';
import { testAccount } from '@ducat/devnet/test-accounts';
import type { Chance } from './chance.ts';
import type { Reaper } from './reaper.ts';

/** Blocks that include or follow a payment before it is money; the node calls blocks final two behind its head. */
export const CONFIRMATIONS = 3;
/** No deeper than what can be undone: the node never takes back what it called final. */
const DEEPEST_FORK = 2;
const BLOCK_SECONDS = 1;
const PAYERS = 3;

/** A currency of the chain; `contract` is null for its own coin. */
export interface Coin {
  readonly currencyId: number;
  readonly contract: `0x${string}` | null;
  readonly decimals: number;
}

export interface Plan {
  readonly name: 'ETH' | 'BSC';
  readonly chainId: number;
  /** The id of the coin; USDT and USDC follow. */
  readonly firstCurrency: number;
  readonly tokenDecimals: number;
}

export class Chain {
  readonly name: Plan['name'];
  readonly chainId: number;
  readonly coins: readonly Coin[];
  readonly proxy: TcpProxy;
  readonly #node: EvmChain;
  #payers: readonly Faucet[];
  #lastFork: Promise<void> = Promise.resolve();
  /** Forks so far, and payments that were gone with one. */
  forks = 0;
  dropped = 0;

  private constructor(plan: Plan, node: EvmChain, proxy: TcpProxy, coins: readonly Coin[]) {
    this.name = plan.name;
    this.chainId = plan.chainId;
    this.coins = coins;
    this.proxy = proxy;
    this.#node = node;
    this.#payers = payersOf(node);
  }

  /** `folder` is where the node may lay down old states. */
  static async start(plan: Plan, folder: string, reaper: Reaper): Promise<Chain> {
    const node = await startEvmChain({ chainId: plan.chainId, cacheFolder: folder });
    reaper.born(node.pid);
    const coins = await furnish(node, plan);
    const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(node.rpcUrl).port) });
    await node.mine(DEEPEST_FORK + 1);
    await node.setMining({ blockTimeMs: BLOCK_SECONDS * 1000 });
    return new Chain(plan, node, proxy, coins);
  }

  /** Past the proxy. */
  get rpcUrl(): string {
    return this.#node.rpcUrl;
  }

  /** The section of the configuration, under the chain's name. */
  get config(): object {
    return {
      rpc_urls: [`http://127.0.0.1:${this.proxy.port}`],
      chain_id: this.chainId,
      confirmations: CONFIRMATIONS,
      window_blocks: 64,
      block_time_ms: 400,
      traces: 'debug',
      start_block: 0,
      currencies: this.coins.flatMap(({ currencyId, contract, decimals }) =>
        contract === null ? [] : [{ currency_id: currencyId, contract, decimals }],
      ),
    };
  }

  async head(): Promise<{ readonly number: number; readonly timestamp: number }> {
    const header = await fetchHeader(this.rpcUrl, 'latest');
    if (header === undefined) throw new Error(`${this.name} has no newest block`);
    return header;
  }

  /** Sends coins or tokens from one of the payers; they are mined with the next block, unless a fork takes them away. */
  async pay(coin: Coin, to: `0x${string}`, units: bigint, chance: Chance): Promise<void> {
    const payer = chance.pick(this.#payers);
    if (coin.contract === null) await payer.sendNative(to, units);
    else await payer.sendToken(coin.contract, to, units);
  }

  /** Replaces the newest blocks. What was paid in them comes again in other blocks, or is gone for ever. */
  fork(chance: Chance): Promise<void> {
    const done = this.#lastFork.then(() => this.#forkNow(chance));
    this.#lastFork = done.catch(() => undefined);
    return done;
  }

  async #forkNow(chance: Chance): Promise<void> {
    await this.#node.setMining('manual');
    try {
      const depth = 1 + chance.int(DEEPEST_FORK);
      const insertions = await this.#insertions(depth, chance);
      // Payments that the node will not take again, because one before them is gone, are gone with the blocks.
      await this.#node.reorg(depth, insertions).catch(() => this.#node.reorg(depth));
      this.forks += 1;
    } finally {
      this.#payers = payersOf(this.#node);
      await this.#node.setMining({ blockTimeMs: BLOCK_SECONDS * 1000 });
    }
  }

  async #insertions(depth: number, chance: Chance): Promise<readonly ReorgInsertion[]> {
    const { number } = await this.head();
    const hashes: { readonly hash: string; readonly place: number }[] = [];
    for (let place = 0; place < depth; place += 1) {
      const tag = `0x${(number - depth + 1 + place).toString(16)}`;
      const block = await this.#node.rpc('eth_getBlockByNumber', [tag, false]);
      for (const hash of hashesIn(block)) hashes.push({ hash, place });
    }
    const fate = chance.weighted({ same: 2, later: 2, gone: 1 });
    if (fate === 'gone') {
      this.dropped += hashes.length;
      return [];
    }
    const insertions: ReorgInsertion[] = [];
    for (const { hash, place } of hashes) {
      const raw = asHex(await this.#node.rpc('eth_getRawTransactionByHash', [hash]), 'raw transaction');
      insertions.push({ rawTransaction: raw, blockOffset: fate === 'later' ? depth - 1 : place });
    }
    return insertions;
  }

  /** Stops its clock, lets `seconds` pass at once, and makes so many blocks behind that. */
  async leap(seconds: number, blocks: number): Promise<void> {
    await this.#node.setMining('manual');
    // What is still in the pool gets its block first.
    await this.#node.mine();
    const { timestamp } = await this.head();
    await this.#node.setNextBlockTimestamp(timestamp + seconds);
    await this.#node.mine(blocks);
  }

  async stop(reaper: Reaper): Promise<void> {
    await this.proxy.stop();
    await this.#node.stop();
    reaper.gone(this.#node.pid);
  }
}

function payersOf(node: EvmChain): readonly Faucet[] {
  return Array.from({ length: PAYERS }, (_, place) => {
    const { privateKey } = testAccount(place + 1);
    return createFaucet({ rpcUrl: node.rpcUrl, chainId: node.chainId, privateKey });
  });
}

/** Deploys the tokens and gives every payer plenty of them. */
async function furnish(node: EvmChain, { firstCurrency, tokenDecimals }: Plan): Promise<readonly Coin[]> {
  const { rpcUrl, chainId } = node;
  const deployer = createFaucet({ rpcUrl, chainId, privateKey: testAccount(0).privateKey });
  const tokens: Coin[] = [];
  for (const [place, symbol] of ['USDT', 'USDC'].entries()) {
    const { address } = await deployer.deploy('testToken', [symbol, symbol, tokenDecimals]);
    for (let payer = 1; payer <= PAYERS; payer += 1)
      await deployer.mintToken(address, testAccount(payer).address, 10n ** 30n);
    tokens.push({ currencyId: firstCurrency + 1 + place, contract: address, decimals: tokenDecimals });
  }
  await node.mine();
  return [{ currencyId: firstCurrency, contract: null, decimals: 18 }, ...tokens];
}

function hashesIn(block: unknown): readonly string[] {
  if (typeof block !== 'object' || block === null || !('transactions' in block)) return [];
  return Array.isArray(block.transactions)
    ? block.transactions.filter((hash) => typeof hash === 'string')
    : [];
}
