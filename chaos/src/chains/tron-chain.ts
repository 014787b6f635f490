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
 * Tron's own numbers, only faster: money is final under 19 blocks, which takes ten seconds here. No cycle waits for
 * that, and faster than this, two busy cores read no chain beside all the rest.
 */
const BLOCK_MS = 500;
/** The first block behind a leap is solid with the last of these. */
const BLOCKS_AFTER_LEAP = 19;
/** Well above the solid block, which lies 18 behind the head and which no fork leaves. */
const DEEPEST_FORK = 5;
const PAYERS = 3;
const PAYER_SUN = 10n ** 15n;
/** The real one's address; it answers false on success, as the real one does. */
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
  /** One thing at a time is done to the chain. */
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
      // The node's own pace is no bound here.
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
    // What is still in the pool gets its block first.
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

  /** A second line beside the newest blocks, longer than they are, and the switch to it. */
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
    // Back in the pool, they come with the next block of the new line.
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

  /** A block at a time, at the pace, until it is stopped. Throws nothing: who waits for blocks says that none come. */
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
  const keys = accountKeys(testMnemonic, PAYERS);
  const payers = keys.map(({ privateKey }) => createTronFaucet({ rpcUrl: node.fullUrl, privateKey }));
  const [owner, ...others] = keys.map(({ address }) => toBase58(address));
  const supply = String(PAYER_USDT * BigInt(PAYERS));
  const token = { name: 'Tether USD', symbol: 'USDT', decimals: 6, like: 'usdt', address: USDT };
  await node.control('mine');
  await node.control('deployToken', { ...token, owner, supply });
  for (const other of others) await payers[0]?.sendToken(USDT, other, PAYER_USDT);
  // No fork reaches down to where the token came from.
  await node.control('mine', { count: 1 + DEEPEST_FORK });
  return payers;
}

async function lineTo(url: string): Promise<NodeLine> {
  const target = { host: '127.0.0.1', port: Number(new URL(url).port) };
  return { proxy: await startTcpProxy(target), target };
}
