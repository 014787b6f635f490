// The Tron dev chain of a run: blocks made at a pace of ours, payers, forks of two lines, and both ports behind proxies.
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { createTronFaucet, type TronFaucet } from '@ducat/devnet/tron/tron-faucet';
import { toBase58 } from '@ducat/tron-dev/protocol/address';
import { accountKeys, testMnemonic } from '@ducat/tron-dev/protocol/keys';
import type { Chain, Coin, NodeLine } from './chain.ts';
import type { Chance } from '../chance.ts';
import type { SentOnChain } from '../payouts/sent-on-chain.ts';
import { readSentOnTron } from '../payouts/sent-on-tron.ts';
import type { Reaper } from '../processes/reaper.ts';
import type { FinalChain } from '../reader/chain-transfers.ts';
import { readTronChain } from '../reader/tron-transfers.ts';
import { type BlockInShort, blockOf, blocksOf } from './tron-blocks.ts';
import { startTronNode, type TronNode } from './tron-node.ts';

/**
 * Finality takes 19 blocks, as on the real Tron, but only ten seconds at this pace. No cycle waits for it. With shorter
 * blocks, two busy cores could not read the chain beside everything else.
 */
const BLOCK_MS = 500;
/** So many that the first block after a leap is solid once the last of them is made. */
const BLOCKS_AFTER_LEAP = 19;
/** Keeps forks well above the solid block, 18 blocks behind the head, because no fork may replace it. */
const DEEPEST_FORK = 5;
const PAYERS = 3;
const PAYER_SUN = 10n ** 15n;
/** The address of USDT on the real Tron. Like the real contract, this one returns false on success. */
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const PAYER_USDT = 10n ** 14n;

export class TronDevChain implements Chain {
  readonly name = 'Tron';
  readonly family = 'tron';
  readonly wireChainId = 0;
  readonly coins: readonly Coin[] = [
    { currencyId: 3000, symbol: 'TRX', contract: null, decimals: 6 },
    { currencyId: 3001, symbol: 'USDT', contract: USDT, decimals: 6 },
  ];
  readonly lines: readonly [full: NodeLine, solidity: NodeLine];
  readonly #node: TronNode;
  readonly #payers: readonly TronFaucet[];
  /** The last of the chain's controls in the queue: they are used one after the other. */
  #lastTurn: Promise<unknown> = Promise.resolve();
  #isMining = true;
  #miner: Promise<void> = Promise.resolve();
  forks = 0;
  dropped = 0;

  private constructor(node: TronNode, lines: TronDevChain['lines'], payers: readonly TronFaucet[]) {
    this.#node = node;
    this.lines = lines;
    this.#payers = payers;
    this.#miner = this.#mine();
  }

  static async start(reaper: Reaper): Promise<TronDevChain> {
    const node = await startTronNode(PAYERS, PAYER_SUN, reaper);
    const payers = await furnish(node);
    const lines = [await lineTo(node.fullUrl), await lineTo(node.solidityUrl)] as const;
    return new TronDevChain(node, lines, payers);
  }

  get chainId(): number {
    return Number.parseInt(this.#node.genesisId.slice(-8), 16);
  }

  get config(): object {
    const [full, solidity] = this.lines;
    const { genesisId } = this.#node;
    return {
      rpc_urls: [`http://127.0.0.1:${full.proxy.port}`],
      solidity_urls: [`http://127.0.0.1:${solidity.proxy.port}`],
      // A local node has no rate limit.
      requests_per_second: 1_000,
      chain_id: this.chainId,
      genesis_hash: genesisId,
      block_time_ms: BLOCK_MS,
      start_block: 0,
      known_tokens: 'listed',
      currencies: [{ currency_id: 3001 }],
    };
  }

  async head(): Promise<{ readonly number: number; readonly timestamp: number }> {
    const { number, timestamp } = await this.#head();
    return { number, timestamp: Math.floor(timestamp / 1000) };
  }

  async pay({ contract }: Coin, to: string, units: bigint, chance: Chance): Promise<void> {
    const payer = chance.pick(this.#payers);
    if (contract === null) await payer.sendTrx(to, units);
    else await payer.sendToken(contract, to, units);
  }

  fork(chance: Chance): Promise<void> {
    return this.#inTurn(() => this.#forkNow(chance));
  }

  async leap(seconds: number): Promise<void> {
    await this.#rest();
    // Transactions that are still in the mempool get their block first.
    await this.#node.control('mine');
    await this.#node.control('increaseTime', { ms: seconds * 1000 });
    await this.#node.control('mine', { count: BLOCKS_AFTER_LEAP });
  }

  async isSettled(final: number): Promise<boolean> {
    return final >= blockOf(await this.#node.control('solidHead')).number;
  }

  read(ours: ReadonlySet<string>): Promise<FinalChain> {
    const { name, coins } = this;
    return readTronChain({ name, solidityUrl: this.#node.solidityUrl, coins }, ours);
  }

  readSent(ours: ReadonlySet<string>): Promise<SentOnChain> {
    const { name, coins } = this;
    return readSentOnTron({ name, solidityUrl: this.#node.solidityUrl, coins }, ours);
  }

  async stop(): Promise<void> {
    await this.#rest();
    for (const { proxy } of this.lines) await proxy.stop();
    await this.#node.stop();
  }

  /** Makes a branch beside the newest blocks, one block longer than they are, and switches to it. */
  async #forkNow(chance: Chance): Promise<void> {
    const { number: tip } = await this.#head();
    const depth = 1 + chance.int(DEEPEST_FORK);
    const orphans = await this.#newest(tip, depth);
    const fate = chance.weighted({ same: 2, later: 2, waiting: 1, gone: 1 });
    const name = `fork-${this.forks}`;
    await this.#node.control('openBranch', { name, atNumber: tip - depth });
    for (const [place, own] of orphans.entries()) {
      const all = place === depth - 1 ? orphans.flat() : [];
      const transactions = fate === 'same' ? own : fate === 'later' ? all : [];
      await this.#node.control('mineOn', { name, count: 1, transactions });
    }
    await this.#node.control('mineOn', { name, count: 1 });
    // Requeued transactions are back in the mempool and come with the next block of the new branch.
    await this.#node.control('switchTo', { name, orphans: fate === 'gone' ? 'drop' : 'requeue' });
    if (fate === 'gone') this.dropped += orphans.flat().length;
    this.forks += 1;
  }

  /** The transactions of the newest blocks, the oldest block first. */
  async #newest(tip: number, depth: number): Promise<readonly (readonly string[])[]> {
    const blocks = await blocksOf(this.#node.fullUrl, tip - depth + 1, tip);
    if (blocks.length !== depth) throw new Error(`Tron showed ${blocks.length} of ${depth} blocks`);
    return blocks.map(({ transactions }) => transactions);
  }

  async #head(): Promise<BlockInShort> {
    return blockOf(await this.#node.control('head'));
  }

  /** Makes a block each BLOCK_MS until it is stopped. Errors are ignored, because the run notices when no blocks come. */
  async #mine(): Promise<void> {
    while (this.#isMining) {
      const startedMs = performance.now();
      await this.#inTurn(() => this.#node.control('mine')).catch(() => undefined);
      const restMs = Math.max(1, BLOCK_MS - (performance.now() - startedMs));
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
  }

  async #rest(): Promise<void> {
    this.#isMining = false;
    await this.#miner;
    await this.#lastTurn.catch(() => undefined);
  }

  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#lastTurn.then(work);
    this.#lastTurn = done.catch(() => undefined);
    return done;
  }
}

/** Deploys the token and gives every payer plenty of it. */
async function furnish(node: TronNode): Promise<readonly TronFaucet[]> {
  const keys = await accountKeys(testMnemonic, PAYERS);
  const payers = keys.map(({ privateKey }) => createTronFaucet({ rpcUrl: node.fullUrl, privateKey }));
  const [owner, ...others] = keys.map(({ address }) => toBase58(address));
  const supply = String(PAYER_USDT * BigInt(PAYERS));
  const token = { name: 'Tether USD', symbol: 'USDT', decimals: 6, like: 'usdt', address: USDT };
  await node.control('mine');
  await node.control('deployToken', { ...token, owner, supply });
  for (const other of others) await payers[0]?.sendToken(USDT, other, PAYER_USDT);
  // So many blocks that no fork can remove the deployment of the token.
  await node.control('mine', { count: 1 + DEEPEST_FORK });
  return payers;
}

async function lineTo(url: string): Promise<NodeLine> {
  const target = { host: '127.0.0.1', port: Number(new URL(url).port) };
  return { proxy: await startTcpProxy(target), target };
}
