// Starts a development chain in this process.
import type { Server } from 'node:http';
import type { Chain } from './chain/chain.ts';
import { DevControls } from './control/controls.ts';
import { Snapshots } from './control/snapshots.ts';
import { startMiner } from './control/miner.ts';
import { fullDispatch, solidityDispatch } from './http/dispatch.ts';
import { listen } from './http/server.ts';
import { openChain } from './open-chain.ts';
import { toBase58 } from './protocol/address.ts';
import { accountKeys, testMnemonic } from './protocol/keys.ts';
import type { ParameterChanges } from './state/parameters.ts';

export interface TronDevOptions {
  /** `manual` makes blocks only when asked. Otherwise a block is made every `blockTimeMs` milliseconds. */
  readonly mining: 'manual' | { readonly blockTimeMs: number };
  /** How many blocks the solid head is behind the head; 18 as on mainnet. */
  readonly solidLag?: number;
  /** The file in which the chain is kept between runs. Without it, the chain ends with the process. */
  readonly stateFile?: string;
  /** Port of the full API; a free one unless given. */
  readonly port?: number;
  readonly solidityPort?: number;
  /** 127.0.0.1 unless given. */
  readonly host?: string;
  /**
   * Milliseconds. When given, the chain's clock stands still between blocks and moves by 3 seconds with each block, so
   * that two runs give the same ids. Otherwise blocks have the time of the machine.
   */
  readonly genesisTimestamp?: number;
  readonly mnemonic?: string;
  /** How many accounts are funded (10), and how many sun each of them gets (1,000,000 TRX). */
  readonly accountCount?: number;
  readonly balance?: bigint;
  readonly parameters?: ParameterChanges;
}

/** A funded account that the chain starts with. */
export interface DevAccount {
  readonly address: string;
  readonly addressHex: string;
  readonly privateKey: string;
}

const defaultAccountCount = 10;
const defaultBalance = 1_000_000_000_000n;

/** A running chain: its URLs, its funded accounts, and all controls. */
export class TronDev extends DevControls {
  readonly fullUrl: string;
  readonly solidityUrl: string;
  readonly accounts: readonly DevAccount[];
  readonly #end: () => Promise<void>;

  constructor(
    chain: Chain,
    snapshots: Snapshots,
    running: Pick<TronDev, 'fullUrl' | 'solidityUrl' | 'accounts'>,
    end: () => Promise<void>,
  ) {
    super(chain, snapshots);
    this.fullUrl = running.fullUrl;
    this.solidityUrl = running.solidityUrl;
    this.accounts = running.accounts;
    this.#end = end;
  }

  /** Stops making blocks, closes both servers and writes the state file to its end. */
  stop(): Promise<void> {
    return this.#end();
  }
}

/** Opens the chain, listens on both ports and starts making blocks. */
export async function startTronDev(options: TronDevOptions): Promise<TronDev> {
  const host = options.host ?? '127.0.0.1';
  const { mnemonic = testMnemonic, accountCount = defaultAccountCount } = options;
  const keys = await accountKeys(mnemonic, accountCount);
  const opened = openChain({
    accounts: keys.map(({ address }) => address),
    balance: options.balance ?? defaultBalance,
    genesisTimestamp: options.genesisTimestamp ?? null,
    parameters: options.parameters ?? {},
    solidLag: options.solidLag ?? null,
    stateFile: options.stateFile ?? null,
  });
  const { chain } = opened;
  const snapshots = new Snapshots(chain);
  const controls = new DevControls(chain, snapshots);
  const full = await listen(fullDispatch(chain, controls), host, options.port ?? 0);
  const solidity = await listen(solidityDispatch(chain), host, options.solidityPort ?? 0);
  const miner = options.mining === 'manual' ? null : startMiner(chain, options.mining.blockTimeMs);
  return new TronDev(
    chain,
    snapshots,
    {
      fullUrl: `http://${host}:${full.port}`,
      solidityUrl: `http://${host}:${solidity.port}`,
      accounts: keys.map((key) => ({ ...key, addressHex: key.address, address: toBase58(key.address) })),
    },
    async () => {
      await miner?.stop();
      // Waits for the steps that were requested earlier.
      await chain.exclusively(() => Promise.resolve());
      await Promise.all([close(full.server), close(solidity.server)]);
      opened.close();
    },
  );
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
