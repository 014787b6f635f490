// Starts the four local chains of `npm start`, with test tokens at fixed addresses and a funded payer.
import { join } from 'node:path';
import type { Hex } from 'viem';
import { getContractAddress } from 'viem/utils';
import type { DurableChain } from '../durable/durable-chain.ts';
import { startDurableChain } from '../durable/durable-chain.ts';
import { createFaucet } from '../evm/faucet.ts';
import { asHex, callRpc, callRpcBatch, callRpcHex } from '../evm/json-rpc.ts';
import type { PlannedChain, PlannedToken, PlannedTronToken } from './local-chain-plan.ts';
import { localChainPlan, PAYER_SUPPLY } from './local-chain-plan.ts';
import { type LocalTronChain, startLocalTron } from './local-tron.ts';
import { testAccount } from '../evm/test-accounts.ts';

/** A running local EVM chain with the data that a gateway or a payer needs. */
export interface LocalEvmChain {
  readonly family: 'evm';
  readonly name: PlannedChain['name'];
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly blockTimeMs: number;
  readonly genesisHash: Hex;
  readonly tokens: readonly { readonly symbol: string; readonly contract: Hex; readonly decimals: number }[];
  /** Account 1 of the public test mnemonic. Its key is public knowledge and worthless outside of this machine. */
  readonly payer: { readonly address: Hex; readonly privateKey: Hex };
}

export type LocalChain = LocalEvmChain | LocalTronChain;

/** All local chains, Tron last. `stop` ends them cleanly; being killed does no harm either. */
export interface LocalChains {
  readonly chains: readonly LocalChain[];
  /** Removes the newest blocks of a chain, with their transactions. Throws where it cannot remove so many. */
  readonly rollBack: (name: string, depth: number) => Promise<void>;
  stop(): Promise<void>;
}

/** The tokens of a chain in place of those of the plan. New ones go to the end, so that running chains keep addresses. */
export interface LocalTokens {
  readonly ETH?: readonly PlannedToken[];
  readonly BSC?: readonly PlannedToken[];
  readonly WKC?: readonly PlannedToken[];
  readonly Tron?: readonly PlannedTronToken[];
}

/**
 * Starts the chains of the plan in `<folder>/<name>`, or continues them. Ports are free ones unless
 * given by chain name. `blockTimeMs` replaces the intervals of the plan, for tests.
 */
export async function startLocalChains(options: {
  folder: string;
  ports?: Partial<Record<LocalChain['name'], number>>;
  blockTimeMs?: number;
  tokens?: LocalTokens;
}): Promise<LocalChains> {
  const { tokens = {} } = options;
  const running: { stop(): Promise<void> }[] = [];
  const rollBacks = new Map<string, (depth: number) => Promise<void>>();
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
    rollBacks.set(plan.name, (depth) => chain.rollBack(depth));
    return furnish(chain, { ...plan, tokens: tokens[plan.name] ?? plan.tokens }, blockTimeMs);
  });
  const starts = [...evmStarts, startTron()];
  const stop = async () => void (await Promise.all(running.map((chain) => chain.stop())));
  // All starts have to finish first. Otherwise a slow one would be left running.
  const results = await Promise.allSettled(starts);
  const chains = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed?.status === 'rejected') {
    await stop();
    throw new Error('the local chains did not start', { cause: failed.reason });
  }
  const rollBack: LocalChains['rollBack'] = async (name, depth) => rollBacks.get(name)?.(depth);
  return { chains, rollBack, stop };

  async function startTron(): Promise<LocalChain> {
    const { folder, ports, blockTimeMs } = options;
    const started = await startLocalTron({
      folder: join(folder, 'tron'),
      ...(ports?.Tron === undefined ? {} : { port: ports.Tron }),
      ...(blockTimeMs === undefined ? {} : { blockTimeMs }),
      ...(tokens.Tron === undefined ? {} : { tokens: tokens.Tron }),
    });
    running.push(started);
    rollBacks.set(started.chain.name, (depth) => started.rollBack(depth));
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
  await fillPurse(chain, tokens, payer);
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
 * The deployer does nothing else, so its nonce counts the tokens, and their addresses are the same on every machine.
 * Deployments that an interrupted start has already sent are not sent again.
 */
async function deployTokens(chain: DurableChain, tokens: readonly PlannedToken[]): Promise<Hex[]> {
  const { rpcUrl, chainId } = chain;
  const deployer = testAccount(0);
  const faucet = createFaucet({ rpcUrl, chainId, privateKey: deployer.privateKey });
  const sent = Number(await callRpcHex(rpcUrl, 'eth_getTransactionCount', [deployer.address, 'pending']));
  for (const { name, symbol, decimals, contract = 'testToken' } of tokens.slice(sent))
    await faucet.deploy(contract, [name, symbol, decimals]);
  await mineUntil(chain, 'the tokens to be deployed', async () => {
    const mined = await callRpcHex(rpcUrl, 'eth_getTransactionCount', [deployer.address, 'latest']);
    return Number(mined) >= tokens.length;
  });
  return tokens.map((_, nonce) => getContractAddress({ from: deployer.address, nonce: BigInt(nonce) }));
}

/** Mints the tokens that the payer is running out of, in one transaction. */
async function fillPurse(
  chain: DurableChain,
  tokens: LocalEvmChain['tokens'],
  payer: LocalEvmChain['payer'],
): Promise<void> {
  const { rpcUrl, chainId } = chain;
  const faucet = createFaucet({ rpcUrl, chainId, privateKey: payer.privateKey });
  const balances = await tokenBalances(rpcUrl, tokens, payer.address);
  const units = ({ decimals }: { readonly decimals: number }) => PAYER_SUPPLY * 10n ** BigInt(decimals);
  const poor = tokens.filter((token, place) => (balances[place] ?? 0n) < units(token) / 1_000n);
  if (poor.length === 0) return;
  const contracts = poor.map(({ contract }) => contract);
  const { hash } = await faucet.deploy('mintAll', [contracts, payer.address, poor.map(units)]);
  await mineUntil(chain, 'the tokens to be minted', async () => {
    return (await callRpc(rpcUrl, 'eth_getTransactionReceipt', [hash])) !== null;
  });
  const { succeeded } = await faucet.outcome(hash);
  if (!succeeded) throw new Error(`the payer of chain ${chainId} was not given its tokens`);
}

/** The most blocks that are mined. A block holds about forty deployments. */
const MOST_BLOCKS = 50;

/** Mines blocks, in addition to those of the clock, until `isSo` returns true. */
async function mineUntil(chain: DurableChain, what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let blocks = 0; !(await isSo()); blocks += 1) {
    if (blocks === MOST_BLOCKS) throw new Error(`${blocks} blocks were not enough for ${what}`);
    await chain.mine();
  }
}

async function tokenBalances(
  rpcUrl: string,
  tokens: LocalEvmChain['tokens'],
  owner: Hex,
): Promise<readonly bigint[]> {
  const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`;
  const calls = tokens.map(({ contract }) => [{ to: contract, data }, 'latest']);
  const balances = await callRpcBatch(rpcUrl, 'eth_call', calls);
  return balances.map((balance) => BigInt(asHex(balance, 'eth_call')));
}
