// The two commands: list the holdings of the words on each chain, and move the holdings on one chain.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { formatAmount, parseAmount } from '@ducat/core/money/decimal';
import { branchNumber, type KeyPath } from '@ducat/core/signing/key-path';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { loadChains } from '@ducat/gateway/config/load-config';
import { schemes } from '@ducat/signer/schemes/schemes';
import { createKeyring } from '@ducat/signer/signing/keyring';
import type { Arguments } from './arguments.ts';
import { findHoldings, type Found, type Gaps, type Holding } from './find-holdings.ts';
import { moveAll } from './move-all.ts';
import { type Node, openNode, type Surroundings } from './open-node.ts';
import { readSeed } from './read-seed.ts';
import { RecoverError } from './recover-error.ts';

type Command = Exclude<Arguments, { readonly command: 'help' }>;
type Move = Extract<Arguments, { readonly command: 'move' }>;

const feeCaps = { evm: '0.05', tron: '100' } as const;

/** Throws RecoverError, OperatorError, ConfigError and Outage. */
export async function recover(args: Command, surroundings: Surroundings): Promise<void> {
  const { say } = surroundings;
  const chains = chainsOf(args);
  const seed = await readSeed(args);
  try {
    for (const chain of chains) {
      const node = openNode(chain, surroundings);
      const wanted = args.command === 'move' ? destinationOf(args, node) : null;
      const found = await findHoldings(node, seed, args);
      for (const line of listed(node, found, args)) say(line);
      if (args.command === 'move' && wanted !== null)
        await moveFound(args, { node, seed, found, to: wanted, say });
    }
  } finally {
    seed.fill(0);
  }
}

function chainsOf({ config, chain }: Command): readonly ConfiguredChain[] {
  const all = loadChains(config).filter(({ on }) => on);
  const chosen = chain === null ? all : all.filter(({ definition }) => definition.name === chain);
  if (chosen.length > 0) return chosen;
  throw new RecoverError(
    `${config} has no section for ${chain === null ? 'any chain' : `the chain ${chain}`}`,
  );
}

function destinationOf({ to }: Move, { definition, scheme }: Node): string {
  const canonical = scheme.canonical(to);
  if (canonical === null) throw new RecoverError(`${to} is no address of ${definition.name}`);
  const isContract = definition.currencies.some(
    ({ contract }) => contract !== null && scheme.canonical(contract) === canonical,
  );
  if (/^(?:0x|41)0+$/.test(canonical) || isContract)
    throw new RecoverError(`what is sent to ${to} would be lost`);
  return canonical;
}

interface Moving {
  readonly node: Node;
  readonly seed: Uint8Array;
  readonly found: Found;
  readonly to: string;
  readonly say: (line: string) => void;
}

async function moveFound(args: Move, { node, seed, found, to, say }: Moving): Promise<void> {
  if (found.holdings.some(({ address }) => address === to))
    throw new RecoverError(`${args.to} is an address below the words themselves`);
  const native = nativeCurrency(node.definition);
  const feeCap = parseAmount(args.feeCap ?? feeCaps[node.definition.family], native);
  if (feeCap === null) throw new RecoverError('--fee-cap must be an amount of the coin of the chain');
  const keyring = createKeyring(seed);
  try {
    await moveAll({ node, keyring, to, feeCap, send: args.send, say }, found.holdings);
  } finally {
    keyring.wipe();
  }
  if (!args.send) say('A dry run: nothing was sent. --send does it.');
}

function listed(node: Node, found: Found, { gap, accountGap }: Gaps): readonly string[] {
  const { definition } = node;
  const unknown = found.unknown.map(({ symbol }) => symbol).join(', ');
  return [
    ...found.holdings.flatMap((holding) => linesOf(node, holding)),
    ...(unknown === '' ? [] : [`${definition.name}: the node has no balances of ${unknown}.`]),
    `${definition.name}: ${found.holdings.length} addresses hold something, of ${found.addresses} looked at in ` +
      `${found.accounts} accounts and that of the gateway. An account was left after ${gap} addresses in a row that ` +
      `hold nothing, the search after ${accountGap} such accounts.`,
  ];
}

function linesOf({ definition, scheme }: Node, { key, address, held }: Holding): readonly string[] {
  const place = pathText(definition.family, key);
  return held.map(
    ({ currency, amount }) =>
      `${definition.name}  ${place}  ${scheme.display(address)}  ${formatAmount(amount, currency)} ${currency.symbol}`,
  );
}

function pathText(family: Node['definition']['family'], { account, branch, index }: KeyPath): string {
  return `m/44'/${schemes[family].coinType}'/${account}'/${branchNumber(branch)}/${index}`;
}
