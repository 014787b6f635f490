// Starts the local Tron chain of `npm start`, with test tokens at the addresses of the real ones and a funded payer.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startTronDev, type TronDev } from '@ducat/tron-dev/start-tron-dev';
import { localTronPlan, PAYER_SUPPLY, type PlannedTronToken } from './local-chain-plan.ts';

/** A running local Tron chain with the data that a gateway or a payer needs. */
export interface LocalTronChain {
  readonly family: 'tron';
  readonly name: 'Tron';
  /** The last four bytes of the first block's id, which differ between folders. */
  readonly chainId: number;
  /** Serves /wallet and /walletsolidity. */
  readonly rpcUrl: string;
  readonly blockTimeMs: number;
  readonly genesisHash: string;
  readonly tokens: readonly {
    readonly symbol: string;
    readonly contract: string;
    readonly decimals: number;
  }[];
  /** Account 1 of the public test mnemonic. Its key is public knowledge and worthless outside of this machine. */
  readonly payer: { readonly address: string; readonly privateKey: string };
}

interface StartedTron {
  readonly chain: LocalTronChain;
  /** Replaces the newest blocks by others, without the transactions in them. */
  rollBack(depth: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the chain in `folder`, or continues it. The port is a free one unless given. */
export async function startLocalTron(options: {
  readonly folder: string;
  readonly port?: number;
  readonly blockTimeMs?: number;
  /** The tokens of the chain; those of the plan unless given. */
  readonly tokens?: readonly PlannedTronToken[];
}): Promise<StartedTron> {
  const { folder, port, blockTimeMs = localTronPlan.blockTimeMs, tokens = localTronPlan.tokens } = options;
  mkdirSync(folder, { recursive: true });
  const dev = await startTronDev({
    mining: { blockTimeMs },
    stateFile: join(folder, 'chain.state'),
    ...(port === undefined ? {} : { port }),
  });
  try {
    return {
      chain: await furnish(dev, blockTimeMs, tokens),
      rollBack: async (depth) => void (await dev.reorg({ depth, orphans: 'drop' })),
      stop: () => dev.stop(),
    };
  } catch (error) {
    await dev.stop();
    throw error;
  }
}

async function furnish(
  dev: TronDev,
  blockTimeMs: number,
  tokens: readonly PlannedTronToken[],
): Promise<LocalTronChain> {
  const payer = dev.accounts[1];
  if (payer === undefined) throw new Error('the Tron chain has no second account');
  for (const token of tokens) {
    if (dev.hasContract(token.address)) continue;
    const supply = PAYER_SUPPLY * 10n ** BigInt(token.decimals);
    await dev.deployToken({ ...token, owner: payer.address, supply });
  }
  const genesisHash = await genesisOf(dev.fullUrl);
  return {
    family: 'tron',
    name: localTronPlan.name,
    chainId: Number.parseInt(genesisHash.slice(-8), 16),
    rpcUrl: dev.fullUrl,
    blockTimeMs,
    genesisHash,
    tokens: tokens.map(({ symbol, address, decimals }) => ({
      symbol,
      contract: address,
      decimals,
    })),
    payer: { address: payer.address, privateKey: payer.privateKey },
  };
}

async function genesisOf(rpcUrl: string): Promise<string> {
  const response = await fetch(`${rpcUrl}/wallet/getblock`, {
    method: 'POST',
    body: JSON.stringify({ id_or_num: '0', detail: false }),
  });
  const [, id] = /"blockID":"([0-9a-f]{64})"/.exec(await response.text()) ?? [];
  if (id === undefined) throw new Error('the Tron chain has no first block');
  return id;
}
