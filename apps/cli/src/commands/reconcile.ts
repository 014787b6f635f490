// ducat reconcile: what the ledger says is held against what the chains say, with nothing unexplained.
import { Command } from 'commander';
import type { Currency } from '@ducat/core/chain/currency';
import { isExplained, type Reconciliation } from '@ducat/core/ledger/reconcile';
import { formatAmount } from '@ducat/core/money/decimal';
import type { ChainReader } from '@ducat/gateway/chains/port/reader';
import { openChain } from '@ducat/gateway/compose/open-chain';
import { type ChainReconciliation, reconcileChain } from '@ducat/gateway/roles/maintenance/reconcile';
import { auditBooks } from '@ducat/gateway/db/reports/audit';
import { CommandError } from '../command-error.ts';
import type { Setup } from '../setup.ts';
import { columns, paletteFor } from '../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

interface ReconcileOptions extends ConfigOptions {
  readonly json?: true;
}

/** The command, to be added to the program. */
export function reconcileCommand(): Command {
  return withConfigOptions(new Command('reconcile'))
    .description('compare ledger and chains, per chain and currency; exit code 1 when they differ')
    .option('--json', 'the result as JSON')
    .action(reconcile);
}

interface CheckedChain {
  readonly port: ChainReader;
  readonly result: ChainReconciliation;
}

async function reconcile(options: ReconcileOptions): Promise<void> {
  const { troubles, checked } = await onSetup(options, check);
  const differences = checked.flatMap(({ result }) => result.currencies.filter((one) => !isExplained(one)));
  const silent = checked.flatMap(({ result }) => result.unanswered);
  const isClean = troubles.length === 0 && differences.length === 0 && silent.length === 0;
  const lines =
    options.json === true
      ? [JSON.stringify({ clean: isClean, troubles, chains: checked.map(asJson) }, null, 2)]
      : [
          ...checked.flatMap(asText),
          ...silent.map(
            ({ currencyId, reason }) => `✗ currency ${currencyId} could not be compared: ${reason}`,
          ),
          ...troubles.map((trouble) => `✗ ${trouble}`),
          verdict(isClean, differences.length),
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!isClean) process.exitCode = 1;
}

async function check({ config, database, world }: Setup): Promise<{
  readonly troubles: readonly string[];
  readonly checked: readonly CheckedChain[];
}> {
  const { reader } = database;
  const troubles = await auditBooks(reader);
  const checked: CheckedChain[] = [];
  for (const chain of config.chains) {
    const port = openChain(chain, { world });
    checked.push({ port, result: await reconcileChain(reader, port) });
  }
  if (checked.length === 0) throw new CommandError('the configuration names no chain that is on');
  return { troubles, checked };
}

function asJson({ port, result }: CheckedChain): object {
  return {
    chain: result.chain,
    block: result.at?.number ?? null,
    addresses: result.addresses,
    unanswered: result.unanswered,
    currencies: result.currencies.map((one) => ({ ...amounts(port, one), explained: isExplained(one) })),
  };
}

function asText({ port, result }: CheckedChain): readonly string[] {
  const { bold, dim } = paletteFor(process.stdout);
  const at = result.at === null ? 'nothing is final yet' : `at block ${result.at.number}`;
  const head = ['', 'CURRENCY', 'LEDGER', 'CHAIN', 'UNEXPLAINED', 'ASTRAY'];
  const rows = result.currencies.map((one) => {
    const { currency, ledger, chain, unexplained, astray } = amounts(port, one);
    return [isExplained(one) ? '✓' : '✗', currency, ledger, chain, unexplained, astray];
  });
  const title = `${bold(result.chain)} ${dim(`${at}, ${result.addresses} addresses`)}`;
  return [title, ...(rows.length === 0 ? [] : columns([head, ...rows], '  ')), ''];
}

function amounts(port: ChainReader, one: Reconciliation) {
  const currency = currencyOf(port, one.currencyId);
  const text = (amount: Reconciliation['ledger']) => formatAmount(amount, currency);
  return {
    currency: `${currency.symbol}@${port.definition.name}`,
    currency_id: one.currencyId,
    ledger: text(one.ledger),
    chain: text(one.chain),
    unexplained: text(one.unexplained),
    // Differences of single addresses, added up without their signs.
    astray: text(one.astray),
  };
}

function currencyOf(port: ChainReader, currencyId: number): Currency {
  const found = port.definition.currencies.find((currency) => currency.currencyId === currencyId);
  if (found === undefined)
    throw new CommandError(`the books name currency ${currencyId}, which is not configured`);
  return found;
}

function verdict(isClean: boolean, differences: number): string {
  const { green, red } = paletteFor(process.stdout);
  if (isClean) return green('Clean: every coin on the chains is in the books, and the reverse.');
  return red(
    `NOT clean: ${differences} currencies differ. Stop and find out why before anything is paid out.`,
  );
}
