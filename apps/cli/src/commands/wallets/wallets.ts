// ducat wallets: balances of wallets and deposit addresses, the runway of the gas, and retrying frozen holdings.
import { Command } from 'commander';
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { type GasRunway, isRunwayShort } from '@ducat/core/collection/runway';
import type { Amount } from '@ducat/core/money/amount';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { openChainWriter } from '@ducat/gateway/compose/open-chain';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { readWalletsReport, type WalletsReport } from '@ducat/gateway/db/reports/wallets-report';
import { readRunway } from '@ducat/gateway/roles/collector/runway/watch-runway';
import { readColdHoldings } from '@ducat/gateway/db/tables/books/cold-storage';
import { thawHolding } from '@ducat/gateway/flows/collections/thaw-holding';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { coldCommands } from './cold.ts';
import { endColdCommand } from './end-cold.ts';
import { stakeLines } from './stake-lines.ts';
import { amountText, type WalletLine } from './wallet-line.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface ListOptions extends ConfigOptions {
  readonly json?: true;
}

/** The commands, to be added to the program. */
export function walletsCommand(): Command {
  const list = withConfigOptions(new Command('list'))
    .description(
      'what lies in each wallet and at deposit addresses, by the books, and how long the gas lasts',
    )
    .option('--json', 'the result as JSON')
    .action(listThem);
  const thaw = withConfigOptions(new Command('thaw'))
    .description('try again what is frozen at a deposit address, after a look at its reason')
    .argument('<chain>', 'such as ETH')
    .argument('<address>', 'the deposit address')
    .argument('<currency-id>', 'such as 1001')
    .action(thawOne);
  const [sendCold, cancelCold] = coldCommands();
  return new Command('wallets')
    .description('wallets and what is collected into them')
    .addCommand(list)
    .addCommand(thaw)
    .addCommand(sendCold)
    .addCommand(cancelCold)
    .addCommand(endColdCommand());
}

async function listThem(options: ListOptions): Promise<void> {
  const listed = await onSetup(options, async (setup) => {
    const lines: WalletLine[] = [];
    for (const chain of setup.config.chains) lines.push(...(await linesOfChain(setup, chain)));
    return lines;
  });
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(listed)}\n`);
  const rows = listed.map((one) => [one.chain, one.what, one.owner, one.amount, one.note]);
  process.stdout.write(`${columns(rows).join('\n')}\n`);
}

async function linesOfChain(
  { database, world }: Setup,
  configured: ConfiguredChain,
): Promise<readonly WalletLine[]> {
  const { definition, collection } = configured;
  const { name: chain, family } = definition;
  const { reader } = database;
  const report = await readWalletsReport(reader, { chain, family });
  const writer = openChainWriter(configured, { world });
  const runway = await readRunway({ writer, reader, nowMs: world.nowMs() });
  const isShort = runway !== null && collection !== null && isRunwayShort(runway, collection.runway);
  const cold = (await readColdHoldings(reader, chain)).map(({ address, held }): WalletLine => {
    const note = addressSchemes[family].display(address);
    return { chain, what: 'cold', owner: '', amount: amountText(definition, held), note };
  });
  const stake = await stakeLines(configured, { reader, writer, nowMs: world.nowMs() });
  return [...linesOf(definition, report, runwayText(runway, isShort)), ...stake, ...cold];
}

/** How long the gas lasts, as text. Empty where no node reports the balance. */
function runwayText(runway: GasRunway | null, isShort: boolean): string {
  const { days = null, payouts = null } = runway ?? {};
  const lasts = [
    ...(days === null ? [] : [`${days} days`]),
    ...(payouts === null ? [] : [`${payouts} payouts`]),
  ];
  if (lasts.length === 0) return '';
  return `, lasts ${lasts.join(' or ')}${isShort ? ': TOO LITTLE, send coin to it' : ''}`;
}

function linesOf(definition: ChainDefinition, report: WalletsReport, gasNote: string): readonly WalletLine[] {
  const chain = definition.name;
  const scheme = addressSchemes[definition.family];
  const text = (amount: Amount): string => amountText(definition, amount);
  const native = nativeCurrency(definition).currencyId;
  const wallets = report.wallets.map(({ address, appId, held }): WalletLine => {
    const isGas = appId === null && (held === null || held.currencyId === native);
    return {
      chain,
      what: appId === null ? 'gas wallet' : 'wallet',
      owner: appId ?? '',
      amount: held === null ? '0' : text(held),
      note: `${scheme.display(address)}${isGas ? gasNote : ''}`,
    };
  });
  const deposits = report.deposits.map((amount): WalletLine => {
    return { chain, what: 'deposits', owner: '', amount: text(amount), note: '' };
  });
  const holdings = report.holdings.map(({ appId, state, addresses, held }): WalletLine => {
    return {
      chain,
      what: state,
      owner: appId,
      amount: text(held),
      note: `at ${addresses} ${addresses === 1 ? 'address' : 'addresses'}`,
    };
  });
  return [...wallets, ...deposits, ...holdings];
}

async function thawOne(chain: string, address: string, id: string, options: ConfigOptions): Promise<void> {
  const isThawed = await onSetup(options, (setup) => thawIn(setup, chain, address, id));
  if (!isThawed) throw new CommandError(`nothing of currency ${id} is frozen at ${address} on ${chain}`);
  process.stdout.write('It is looked at again at once.\n');
}

async function thawIn({ config, database, world }: Setup, chain: string, address: string, id: string) {
  const configured = config.chains.find(({ definition }) => definition.name === chain);
  if (configured === undefined) throw new CommandError(`the configuration has no chain ${chain} that is on`);
  const canonical = addressSchemes[configured.definition.family].canonical(address);
  if (canonical === null) throw new CommandError(`${address} is no address of ${chain}`);
  if (!/^[0-9]{1,9}$/.test(id)) throw new CommandError(`${id} is no currency id`);
  const where = { chain, address: canonical, currencyId: Number(id) };
  return database.transact((tx) => thawHolding(tx, where, world.nowMs()));
}
