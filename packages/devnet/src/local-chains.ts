// Starts the four local chains of `npm start`, with test tokens at fixed addresses and a funded payer.
import { join } from 'node:path';
import type { Hex } from 'viem';
import { getContractAddress } from 'viem';
import type { DurableChain } from './durable-chain.ts';
import { startDurableChain } from './durable-chain.ts';
import { createFaucet } from './faucet.ts';
import { callRpc, callRpcHex } from './json-rpc.ts';
import type { PlannedChain, PlannedToken } from './local-chain-plan.ts';
import { localChainPlan } from './local-chain-plan.ts';
import { type LocalTronChain, startLocalTron } from './local-tron.ts';
import { testAccount } from './test-accounts.ts';
import { waitUntil } from './wait-until.ts';

/** A running local EVM chain with all that a gateway or a payer needs to know of it. */
export interface LocalEvmChain {
  readonly family: 'evm';
  readonly name: PlannedChain['name'];
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly blockTimeMs: number;
  readonly genesisHash: Hex;
  readonly tokens: readonly { readonly symbol: string; readonly contract: Hex; readonly decimals: number }[];
  /** Account 1 of the public test mnemonic. Everybody knows this key: it is worthless outside of this machine. */
  readonly payer: { readonly address: Hex; readonly privateKey: Hex };
}

export type LocalChain = LocalEvmChain | LocalTronChain;

/** All local chains, Tron last. `stop` ends them cleanly; being killed does no harm either. */
export interface LocalChains {
  readonly chains: readonly LocalChain[];
  stop(): Promise<void>;
}

/**
 * Starts the chains of the plan in `<folder>/<name>`, or continues them. Ports are free ones unless
 * given by chain name. `blockTimeMs` replaces the intervals of the plan, for tests.
 */
export async function startLocalChains(options: {
  folder: string;
  ports?: Partial<Record<LocalChain['name'], number>>;
  blockTimeMs?: number;
}): Promise<LocalChains> {
  const running: { stop(): Promise<void> }[] = [];
  const evmStarts = localChainPlan.map(async (plan): Promise<LocalChain> => {
    const port = options.ports?.[plan.name];
    const blockTimeMs = options.blockTimeMs ?? plan.blockTimeMs;
    const chain = await startDurableChain({
      folder: join(options.folder, plan.name.toLowerCase()),
      chainId: plan.chainId,
      blockTimeMs,
      slotsInEpoch: plan.slotsInEpoch,
      ...(port === undefined ? {} : { port }),
    });
    running.push(chain);
    return furnish(chain, plan, blockTimeMs);
  });
  const starts = [...evmStarts, startTron()];
  const stop = async () => void (await Promise.all(running.map((chain) => chain.stop())));
  // Every start has to come to its end first, or a late one would be left running.
  const results = await Promise.allSettled(starts);
  const chains = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw new Error('the local chains did not start', { cause: failed.reason });
  }
  return { chains, stop };

  async function startTron(): Promise<LocalChain> {
    const { folder, ports, blockTimeMs } = options;
    const started = await startLocalTron({
      folder: join(folder, 'tron'),
      ...(ports?.Tron === undefined ? {} : { port: ports.Tron }),
      ...(blockTimeMs === undefined ? {} : { blockTimeMs }),
    });
    running.push(started);
    return started.chain;
  }
}

async function furnish(chain: DurableChain, plan: PlannedChain, blockTimeMs: number): Promise<LocalEvmChain> {
  const { rpcUrl, chainId, genesisHash } = chain;
  const payer = testAccount(1);
  const addresses = await deployTokens(chain, plan.tokens);
  const tokens = plan.tokens.map(({ symbol, decimals }, index) => ({
    symbol,
    decimals,
    contract: addresses[index] ?? '0x',
  }));
  const faucet = createFaucet({ rpcUrl, chainId, privateKey: payer.privateKey });
  for (const { contract, decimals } of tokens) {
    // A million coins is plenty; a start that finds less than that mints a hundred million more.
    const unit = 10n ** BigInt(decimals);
    if ((await tokenBalance(rpcUrl, contract, payer.address)) >= 1_000_000n * unit) continue;
    const hash = await faucet.mintToken(contract, payer.address, 100_000_000n * unit);
    await chain.mine();
    await faucet.outcome(hash);
  }
  const { address, privateKey } = payer;
  return {
    family: 'evm',
    name: plan.name,
    chainId,
    rpcUrl,
    blockTimeMs,
    genesisHash,
    tokens,
    payer: { address, privateKey },
  };
}

/**
 * The deployer does nothing else, so its nonces count the tokens, and with them the addresses are
 * the same on every machine. What an interrupted start has sent already is not sent again.
 */
async function deployTokens(chain: DurableChain, tokens: readonly PlannedToken[]): Promise<Hex[]> {
  const { rpcUrl, chainId } = chain;
  const deployer = testAccount(0);
  const faucet = createFaucet({ rpcUrl, chainId, privateKey: deployer.privateKey });
  const sent = Number(await callRpcHex(rpcUrl, 'eth_getTransactionCount', [deployer.address, 'pending']));
  for (const { name, symbol, decimals } of tokens.slice(sent))
    await faucet.deploy('testToken', [name, symbol, decimals]);
  const addresses = tokens.map((_, nonce) =>
    getContractAddress({ from: deployer.address, nonce: BigInt(nonce) }),
  );
  if (tokens.length > 0 && sent < tokens.length) await chain.mine();
  for (const address of addresses) {
    await waitUntil(
      `the token ${address} to be deployed`,
      async () => (await callRpc(rpcUrl, 'eth_getCode', [address, 'latest'])) !== '0x',
    );
  }
  return addresses;
}

async function tokenBalance(rpcUrl: string, token: Hex, owner: Hex): Promise<bigint> {
  const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`;
  return BigInt(await callRpcHex(rpcUrl, 'eth_call', [{ to: token, data }, 'latest']));
}
