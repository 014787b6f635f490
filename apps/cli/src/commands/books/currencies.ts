// ducat currencies: lists the currencies that take no new orders, and lets an operator change that.
import { Command } from 'commander';
import type { Config } from '@ducat/gateway/config/load-config';
import {
  type CurrencySuspension,
  readSuspensions,
} from '@ducat/gateway/db/tables/books/currency-suspensions';
import { resumeByHand } from '@ducat/gateway/flows/currencies/resume-by-hand';
import { suspendByHand } from '@ducat/gateway/flows/currencies/suspend-by-hand';
import { configuredCurrencies, findCurrency, type ListedCurrency } from '../../orders/find-currency.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface SuspendedOptions extends ConfigOptions {
  readonly json?: true;
}

interface SuspendOptions extends ConfigOptions {
  readonly why: string;
}

/** The commands, to be added to the program. */
export function currenciesCommand(): Command {
  const suspended = withConfigOptions(new Command('suspended'))
    .description('list the currencies that take no new orders, with the reason')
    .option('--json', 'the result as JSON')
    .action(listSuspended);
  const suspend = withConfigOptions(new Command('suspend'))
    .description('refuse new orders in a currency (code 20003); open ones go on')
    .argument('<currency>', 'id, or SYMBOL@CHAIN such as USDT@ETH')
    .requiredOption('--why <text>', 'the reason, which merchants read in the refusal')
    .action(suspendIt);
  const resume = withConfigOptions(new Command('resume'))
    .description('take new orders in a currency again, after you have looked at why it was suspended')
    .argument('<currency>', 'id, or SYMBOL@CHAIN such as USDT@ETH')
    .action(resumeIt);
  return new Command('currencies')
    .description('suspend currencies and let them be used again')
    .addCommand(suspended)
    .addCommand(suspend)
    .addCommand(resume);
}

async function listSuspended(options: SuspendedOptions): Promise<void> {
  const list = await onSetup(options, async ({ config, database }) =>
    (await readSuspensions(database.reader)).map((one) => shown(one, config)),
  );
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
    return;
  }
  const rows = list.map((one) => [one.currency, String(one.currency_id), one.since, one.reason]);
  const lines = rows.length === 0 ? ['No currency is suspended.'] : columns(rows);
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function suspendIt(typed: string, options: SuspendOptions): Promise<void> {
  const { currency, isNew } = await onSetup(options, async ({ config, database, world }) => {
    const found = findCurrency(configuredCurrencies(config), typed);
    const suspend = { currencyId: found.currency_id, reason: options.why, nowMs: world.nowMs() };
    return { currency: found, isNew: await database.transact((tx) => suspendByHand(tx, suspend)) };
  });
  const name = nameOf(currency);
  process.stdout.write(
    isNew ? `${name} takes no new orders.\n` : `${name} was suspended before; its first reason is kept.\n`,
  );
}

async function resumeIt(typed: string, options: ConfigOptions): Promise<void> {
  const { currency, was } = await onSetup(options, async ({ config, database }) => {
    const found = findCurrency(configuredCurrencies(config), typed);
    const was = await database.transact((tx) => resumeByHand(tx, found.currency_id));
    return { currency: found, was };
  });
  const name = nameOf(currency);
  process.stdout.write(
    was ? `${name} takes new orders again.\n` : `${name} was not suspended; nothing changed.\n`,
  );
}

function shown({ currencyId, reason, sinceMs }: CurrencySuspension, config: Config) {
  const listed = configuredCurrencies(config).find((one) => one.currency_id === currencyId);
  return {
    currency: listed === undefined ? 'not configured' : nameOf(listed),
    currency_id: currencyId,
    since: new Date(sinceMs).toISOString(),
    reason,
  };
}

function nameOf({ token, chain }: ListedCurrency): string {
  return `${token}@${chain}`;
}
