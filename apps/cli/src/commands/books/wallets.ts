// ducat wallets: what lies in wallets and at deposit addresses, how long the gas lasts, and a second try for what is frozen.
import { Command } from 'commander';
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { runwayDays, RUNWAY_DAYS } from '@ducat/core/collection/runway';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { readWalletsReport, type WalletsReport } from '@ducat/gateway/db/reports/wallets-report';
import { thawHolding } from '@ducat/gateway/flows/collections/thaw-holding';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface ListOptions extends ConfigOptions {
  readonly json?: true;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

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
  return new Command('wallets')
    .description('wallets and what is collected into them')
    .addCommand(list)
    .addCommand(thaw);
}

async function listThem(options: ListOptions): Promise<void> {
  const listed = await onSetup(options, async ({ config, database, world }) => {
    const spentSinceMs = world.nowMs() - Number(RUNWAY_DAYS) * DAY_MS;
    const reports: { readonly definition: ChainDefinition; readonly report: WalletsReport }[] = [];
    for (const { definition } of config.chains) {
      const { name: chain, family } = definition;
      const nativeId = nativeCurrency(definition).currencyId;
      const query = { chain, family, nativeId, spentSinceMs };
      reports.push({ definition, report: await readWalletsReport(database.reader, query) });
    }
    return reports.flatMap(({ definition, report }) => linesOf(definition, report));
  });
  if (options.json === true) return void process.stdout.write(`${JSON.stringify(listed)}\n`);
  const rows = listed.map((one) => [one.chain, one.what, one.owner, one.amount, one.note]);
  process.stdout.write(`${columns(rows).join('\n')}\n`);
}

interface Line {
  readonly chain: string;
  /** `wallet`, `gas wallet`, `deposits`, or of deposits a state. */
  readonly what: string;
  readonly owner: string;
  readonly amount: string;
  readonly note: string;
}

function linesOf(definition: ChainDefinition, report: WalletsReport): readonly Line[] {
  const chain = definition.name;
  const scheme = addressSchemes[definition.family];
  const text = (amount: Amount): string => amountText(definition, amount);
  const native = nativeCurrency(definition).currencyId;
  const wallets = report.wallets.map(({ address, appId, held }): Line => {
    const isGas = appId === null && held !== null && held.currencyId === native;
    const days = isGas ? runwayDays(held, report.spent) : null;
    return {
      chain,
      what: appId === null ? 'gas wallet' : 'wallet',
      owner: appId ?? '',
      amount: held === null ? '0' : text(held),
      note: days === null ? scheme.display(address) : `${scheme.display(address)}, lasts ${days} days`,
    };
  });
  const deposits = report.deposits.map((amount): Line => {
    return { chain, what: 'deposits', owner: '', amount: text(amount), note: '' };
  });
  const holdings = report.holdings.map(({ appId, state, addresses, held }): Line => {
    return { chain, what: state, owner: appId, amount: text(held), note: `at ${addresses} addresses` };
  });
  return [...wallets, ...deposits, ...holdings];
}

function amountText({ currencies }: ChainDefinition, amount: Amount): string {
  const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  return currency === undefined
    ? `of currency ${amount.currencyId}, which is not configured`
    : `${formatAmount(amount, currency)} ${currency.symbol}`;
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
