// One real EVM dev node of a run, with tokens, payers' accounts, forks, and a proxy through which the gateway asks it.
import type { EvmChain, ReorgInsertion } from '@ducat/devnet/evm/evm-chain';
import { startEvmChain } from '@ducat/devnet/evm/evm-chain';
import type { Faucet } from '@ducat/devnet/evm/faucet';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { asHex, fetchHeader } from '@ducat/devnet/evm/json-rpc';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import type { Chain, Coin, NodeLine } from './chain.ts';
import type { Chance } from '../chance.ts';
import { type FinalChain, readChain } from '../reader/chain-transfers.ts';
import type { SentOnChain } from '../payouts/sent-on-chain.ts';
import { readSentOnEvm } from '../payouts/sent-on-evm.ts';
import type { Reaper } from '../processes/reaper.ts';

/** Confirmations that a payment needs. The dev node itself calls a block final once two more follow it. */
const CONFIRMATIONS = 3;
/** Blocks that are made after a leap of time. */
const BLOCKS_AFTER_LEAP = 6;
/** A fork stays above the final block, because the node never replaces a block that it called final. */
const DEEPEST_FORK = 2;
const BLOCK_SECONDS = 1;
const PAYERS = 3;

export interface EvmPlan {
  readonly name: 'ETH' | 'BSC';
  readonly chainId: number;
  readonly symbol: string;
  /** The id of the coin; USDT and USDC follow. */
  readonly firstCurrency: number;
  readonly tokenDecimals: number;
}

/** A coin with its contract as EVM code has it. */
interface EvmCoin extends Coin {
  readonly contract: `0x${string}` | null;
}

export class EvmDevChain implements Chain {
  readonly name: EvmPlan['name'];
  readonly family = 'evm';
  readonly chainId: number;
  readonly wireChainId: number;
  readonly coins: readonly EvmCoin[];
  readonly lines: readonly [NodeLine];
  readonly #node: EvmChain;
  #payers: readonly Faucet[];
  #lastFork: Promise<void> = Promise.resolve();
  forks = 0;
  dropped = 0;

  private constructor(plan: EvmPlan, node: EvmChain, line: NodeLine, coins: readonly EvmCoin[]) {
    this.name = plan.name;
    this.chainId = plan.chainId;
    this.wireChainId = plan.chainId;
    this.coins = coins;
    this.lines = [line];
    this.#node = node;
    this.#payers = payersOf(node);
  }

  /** `folder` is where the node may store old states. */
  static async start(plan: EvmPlan, folder: string, reaper: Reaper): Promise<EvmDevChain> {
    const node = await startEvmChain({ chainId: plan.chainId, cacheFolder: folder });
    reaper.born(node.pid);
    const coins = await furnish(node, plan);
    const target = { host: '127.0.0.1', port: Number(new URL(node.rpcUrl).port) };
    const line = { proxy: await startTcpProxy(target), target };
    await node.mine(DEEPEST_FORK + 1);
    await node.setMining({ blockTimeMs: BLOCK_SECONDS * 1000 });
    return new EvmDevChain(plan, node, line, coins);
  }

  get config(): object {
    return {
      rpc_urls: [`http://127.0.0.1:${this.lines[0].proxy.port}`],
      chain_id: this.wireChainId,
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
    const header = await fetchHeader(this.#node.rpcUrl, 'latest');
    if (header === undefined) throw new Error(`${this.name} has no newest block`);
    return header;
  }

  async pay({ currencyId }: Coin, address: string, units: bigint, chance: Chance): Promise<void> {
    const payer = chance.pick(this.#payers);
    const contract = this.coins.find((coin) => coin.currencyId === currencyId)?.contract ?? null;
    const to: `0x${string}` = `0x${address.slice(2)}`;
    if (contract === null) await payer.sendNative(to, units);
    else await payer.sendToken(contract, to, units);
  }

  fork(chance: Chance): Promise<void> {
    const done = this.#lastFork.then(() => this.#forkNow(chance));
    this.#lastFork = done.catch(() => undefined);
    return done;
  }

  async #forkNow(chance: Chance): Promise<void> {
    await this.#node.setMining('manual');
    try {
      // The node may still be making a block by its clock. That block would move the head, and the payments would be put
      // back into the wrong blocks. Making one more block waits for it.
      await this.#node.mine();
      const depth = 1 + chance.int(DEEPEST_FORK);
      const insertions = await this.#insertions(depth, chance);
      // The node may refuse a payment now because an earlier one is gone. Then all payments of these blocks are lost.
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

  async leap(seconds: number): Promise<void> {
    await this.#node.setMining('manual');
    // Transactions that are still in the mempool get their block first.
    await this.#node.mine();
    const { timestamp } = await this.head();
    await this.#node.setNextBlockTimestamp(timestamp + seconds);
    await this.#node.mine(BLOCKS_AFTER_LEAP);
  }

  isSettled(): Promise<boolean> {
    return Promise.resolve(true);
  }

  read(ours: ReadonlySet<string>): Promise<FinalChain> {
    const { name, coins } = this;
    return readChain({ name, rpcUrl: this.#node.rpcUrl, coins }, ours, CONFIRMATIONS);
  }

  readSent(ours: ReadonlySet<string>): Promise<SentOnChain> {
    const { name, coins } = this;
    return readSentOnEvm({ name, rpcUrl: this.#node.rpcUrl, coins }, ours);
  }

  async stop(reaper: Reaper): Promise<void> {
    await this.lines[0].proxy.stop();
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
async function furnish(
  node: EvmChain,
  { firstCurrency, symbol: ownSymbol, tokenDecimals }: EvmPlan,
): Promise<readonly EvmCoin[]> {
  const { rpcUrl, chainId } = node;
  const deployer = createFaucet({ rpcUrl, chainId, privateKey: testAccount(0).privateKey });
  const tokens: EvmCoin[] = [];
  for (const [place, symbol] of ['USDT', 'USDC'].entries()) {
    const { address } = await deployer.deploy('testToken', [symbol, symbol, tokenDecimals]);
    for (let payer = 1; payer <= PAYERS; payer += 1)
      await deployer.mintToken(address, testAccount(payer).address, 10n ** 30n);
    const currencyId = firstCurrency + 1 + place;
    tokens.push({ currencyId, symbol, contract: address, decimals: tokenDecimals });
  }
  await node.mine();
  return [{ currencyId: firstCurrency, symbol: ownSymbol, contract: null, decimals: 18 }, ...tokens];
}

function hashesIn(block: unknown): readonly string[] {
  if (typeof block !== 'object' || block === null || !('transactions' in block)) return [];
  return Array.isArray(block.transactions)
    ? block.transactions.filter((hash) => typeof hash === 'string')
    : [];
}
