// ducat app debts and repay: what apps owe after reversals, and its repayment from what they have available.
import { Command } from 'commander';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { listDebts } from '@ducat/gateway/db/tables/books/reversal-entries';
import { repayDebt } from '@ducat/gateway/flows/reversals/repay-debt';
import { configuredCurrencies, findCurrency } from '../../orders/find-currency.ts';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface RepayOptions extends ConfigOptions {
  readonly by: string;
  readonly why: string;
}

/** The command, to be added to `app`. */
export function debtsCommand(): Command {
  return withConfigOptions(new Command('debts'))
    .description('what apps owe, because a receipt was reversed and the app had less left')
    .action(listThem);
}

/** The command, to be added to `app`. */
export function repayCommand(): Command {
  return withConfigOptions(new Command('repay'))
    .description('book what an app owes against what it has available')
    .argument('<app_id>', 'AppId')
    .argument('<currency>', 'id, or SYMBOL@CHAIN such as USDT@ETH')
    .requiredOption('--by <who>', 'who decided it; kept in the audit log')
    .requiredOption('--why <text>', 'why, such as a ticket; kept in the audit log')
    .action(repayIt);
}

async function listThem(options: ConfigOptions): Promise<void> {
  const rows = await onSetup(options, async (setup) => {
    const debts = await listDebts(setup.database.reader);
    return debts.map(({ appId, amount }) => [appId, amountText(setup, amount)]);
  });
  const text = rows.length === 0 ? 'No app owes anything.' : columns([['APP', 'OWES'], ...rows]).join('\n');
  process.stdout.write(`${text}\n`);
}

async function repayIt(appId: string, typed: string, options: RepayOptions): Promise<void> {
  const { by, why: reason } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const line = await onSetup(options, async (setup) => {
    const { config, database, world } = setup;
    const { currency_id: currencyId } = findCurrency(configuredCurrencies(config), typed);
    const repayment = { appId, currencyId, by, reason, nowMs: world.nowMs() };
    const repaid = await database.transact((tx) => repayDebt(tx, repayment));
    if (repaid.outcome === 'nothing-owed') throw new CommandError(`${appId} owes nothing in ${typed}`);
    if (repaid.outcome === 'nothing-available')
      throw new CommandError(`${appId} has nothing available in ${typed}`);
    return `${appId} repaid ${amountText(setup, repaid.amount)}.`;
  });
  process.stdout.write(`${line}\n`);
}

function amountText({ config }: Setup, amount: Amount): string {
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  for (const { name, currencies } of definitions) {
    const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
    if (currency !== undefined) return `${formatAmount(amount, currency)} ${currency.symbol}@${name}`;
  }
  throw new CommandError(`currency ${amount.currencyId} is not configured`);
}
