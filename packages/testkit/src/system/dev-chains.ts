// The two dev chains of a system test: ETH and BSC by name, mined by hand, with coins, tokens and a payer.
import { callOf, type ContractName } from '@ducat/devnet/contracts/contracts';
import { type EvmChain, startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { createFaucet, type Faucet } from '@ducat/devnet/evm/faucet';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { configuredChains } from '@ducat/gateway/config/chains';
import type { ChainConfig } from '@ducat/gateway/config/schema';
import type { MinedChain } from './mined-chain.ts';

/**
 * More than the three blocks that tests reorganise. The dev nodes call a block final when it is two behind the head.
 */
const CONFIRMATIONS = 4;

/** An address on a dev chain. */
export type Address = `0x${string}`;

/** A further token of a dev chain, and how the operator wrote it down. */
export interface FurtherToken {
  readonly contract: Extract<ContractName, 'testToken' | 'pausableToken' | 'rebaseToken'>;
  readonly decimals: number;
  /** Left out, the operator states what the contract says. */
  readonly statedDecimals?: number;
}

/** How the first of the two chains differs from the usual. */
export interface EthOptions {
  readonly traces?: ChainConfig['traces'];
  readonly tokens?: readonly FurtherToken[];
}

/** A running dev chain with everything that a test pays with. */
export interface DevChain extends MinedChain {
  readonly node: EvmChain;
  /** The chain as an operator writes it into the configuration file. */
  readonly entry: ChainConfig;
  /** Currency ids: the chain's own coin, two good tokens, and one that takes a percent of each transfer. */
  readonly ids: { readonly coin: number; readonly usdt: number; readonly usdc: number; readonly fee: number };
  readonly usdt: Address;
  readonly usdc: Address;
  readonly feeToken: Address;
  /** Configured as the chain's fifth currency: its transfers return false and move nothing. */
  readonly falseToken: Address;
  /** The tokens that the test asked for, in its order. */
  readonly further: readonly { readonly currencyId: number; readonly address: Address }[];
  readonly multiSend: Address;
  readonly forwarder: Address;
  /** Signs for an account of the test mnemonic. After a reorg it asks the chain for its nonce anew. */
  payer(): Faucet;
  /** Replaces the newest blocks. The payer's transactions in them are lost unless they are inserted again. */
  reorg: EvmChain['reorg'];
  /** Unix seconds of the newest block. */
  headTime(): Promise<number>;
  /** Unix seconds of the block of a mined transaction. */
  timeOf(hash: Address): Promise<number>;
}

/** Starts both, deploys the tokens, and gives the payer a stock of them. */
export async function startDevChains({ traces = 'debug', tokens = [] }: EthOptions = {}): Promise<{
  readonly eth: DevChain;
  readonly bsc: DevChain;
}> {
  const [eth, bsc] = await Promise.all([
    startDevChain({ name: 'ETH', chainId: 31_337, first: 1000, decimals: 6, traces, tokens }),
    startDevChain({ name: 'BSC', chainId: 31_338, first: 2000, decimals: 18, traces: 'debug', tokens: [] }),
  ]);
  return { eth, bsc };
}

interface Plan {
  readonly name: string;
  readonly chainId: number;
  /** The currency id of the coin; tokens follow. */
  readonly first: number;
  readonly decimals: number;
  readonly traces: NonNullable<ChainConfig['traces']>;
  readonly tokens: readonly FurtherToken[];
}

async function startDevChain(plan: Plan): Promise<DevChain> {
  const node = await startEvmChain({ chainId: plan.chainId });
  const newPayer = () =>
    createFaucet({
      rpcUrl: node.rpcUrl,
      chainId: plan.chainId,
      privateKey: testAccount(0).privateKey,
    });
  let payer = newPayer();
  const contracts = await deployContracts(node, payer, plan.decimals);
  const further = await deployFurther(node, payer, plan);
  const entry = entryOf(plan, node, contracts, further);
  const [configured] = configuredChains({ [plan.name]: entry });
  if (configured === undefined) throw new Error('the dev chain was not configured');
  const { first } = plan;
  return {
    name: plan.name,
    node,
    entry,
    configured,
    reader: openChain(configured),
    ids: { coin: first, usdt: first + 1, usdc: first + 2, fee: first + 3 },
    ...contracts,
    further,
    offered:
      configured.definition.currencies.filter(({ enabled }) => enabled).length -
      plan.tokens.filter(isStatedWrong).length,
    mine: (count) => node.mine(count),
    stop: () => node.stop(),
    payer: () => payer,
    reorg: async (depth, insertions) => {
      await node.reorg(depth, insertions);
      payer = newPayer();
    },
    headTime: async () => Number((await readBlock(node, 'latest'))['timestamp']),
    head: async () => {
      const block = await readBlock(node, 'latest');
      return { number: Number(block['number']), hash: String(block['hash']) };
    },
    timeOf: async (hash) => {
      const { blockNumber } = await payer.outcome(hash);
      return Number((await readBlock(node, `0x${blockNumber.toString(16)}`))['timestamp']);
    },
  };
}

type Contracts = Pick<DevChain, 'usdt' | 'usdc' | 'feeToken' | 'falseToken' | 'multiSend' | 'forwarder'>;

async function deployContracts(node: EvmChain, payer: Faucet, decimals: number): Promise<Contracts> {
  const { address: usdt } = await payer.deploy('testToken', ['Tether USD', 'USDT', decimals]);
  const { address: usdc } = await payer.deploy('testToken', ['USD Coin', 'USDC', decimals]);
  const { address: feeToken } = await payer.deploy('feeToken', ['Taxed', 'TAX', decimals]);
  const { address: falseToken } = await payer.deploy('silentFalseToken', ['False', 'FALSE', decimals]);
  const { address: multiSend } = await payer.deploy('multiSend', []);
  const { address: forwarder } = await payer.deploy('forwarder', []);
  for (const token of [usdt, usdc, feeToken, falseToken]) {
    await payer.mintToken(token, payer.address, 10n ** 30n);
    await payer.send(callOf('testToken', token, 'approve', [multiSend, 10n ** 30n]));
  }
  await node.mine();
  return { usdt, usdc, feeToken, falseToken, multiSend, forwarder };
}

async function deployFurther(
  node: EvmChain,
  payer: Faucet,
  { first, tokens }: Plan,
): Promise<DevChain['further']> {
  const further = [];
  for (const [place, { contract, decimals }] of tokens.entries()) {
    const symbol = symbolOf(place);
    const { address } = await payer.deploy(contract, [symbol, symbol, decimals]);
    await payer.mintToken(address, payer.address, 10n ** 30n);
    further.push({ currencyId: first + 5 + place, address });
  }
  await node.mine();
  return further;
}

function symbolOf(place: number): string {
  return `MORE${place}`;
}

function isStatedWrong({ decimals, statedDecimals }: FurtherToken): boolean {
  return statedDecimals !== undefined && statedDecimals !== decimals;
}

/** The chain's section of the configuration. It changes the known definition where the dev chain differs. */
function entryOf(
  plan: Plan,
  node: EvmChain,
  contracts: Contracts,
  further: DevChain['further'],
): ChainConfig {
  const { first, decimals } = plan;
  const asked = plan.tokens.map((token, place) => ({
    currency_id: first + 5 + place,
    symbol: symbolOf(place),
    contract: further[place]?.address ?? '',
    decimals: token.statedDecimals ?? token.decimals,
  }));
  const more = [
    { currency_id: first + 3, symbol: 'TAX', contract: contracts.feeToken, decimals, display_decimals: 2 },
    { currency_id: first + 4, symbol: 'FALSE', contract: contracts.falseToken, decimals },
    ...asked,
  ];
  return {
    rpc_urls: [node.rpcUrl],
    chain_id: plan.chainId,
    confirmations: CONFIRMATIONS,
    window_blocks: 64,
    block_time_ms: 200,
    traces: plan.traces,
    known_tokens: 'listed',
    currencies: [
      { currency_id: first + 1, contract: contracts.usdt },
      { currency_id: first + 2, contract: contracts.usdc },
      ...more,
    ],
  };
}

async function readBlock(node: EvmChain, tag: string): Promise<Readonly<Record<string, unknown>>> {
  const block = await node.rpc('eth_getBlockByNumber', [tag, false]);
  if (typeof block !== 'object' || block === null) throw new Error(`the dev node has no block ${tag}`);
  return Object.fromEntries(Object.entries(block));
}
