// ducat reconcile: compares the balances of our addresses with the books, address by address, now.
import { Command } from 'commander';
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import { formatAmount } from '@ducat/core/money/decimal';
import { openChain } from '@ducat/gateway/compose/open-chain';
import type { ConfiguredChain } from '@ducat/gateway/config/chains';
import { readBooksHeight } from '@ducat/gateway/db/reports/books-height';
import { type InFlightReport, readInFlight } from '@ducat/gateway/db/reports/in-flight';
import { readAuditFindings } from '@ducat/gateway/db/tables/books/audit-findings';
import { compareChain, type ComparedChain } from '@ducat/gateway/roles/maintenance/compare-chain';
import { type ComparedCold, compareCold, isColdShort } from '@ducat/gateway/roles/maintenance/compare-cold';
import { Outage } from '@ducat/gateway/runtime/outage';
import { CommandError } from '../../../command-error.ts';
import { showProgress } from '../../../progress.ts';
import type { Setup } from '../../../setup.ts';
import { paletteFor } from '../../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../../config-option.ts';
import { COULD_NOT_LOOK, couldNotLook } from '../../could-not-look.ts';
import { amounts, coldText, comparedText, type LookedAtChain } from './compared-text.ts';
import { inFlightJson, inFlightText } from './in-flight-text.ts';

interface ReconcileOptions extends ConfigOptions {
  readonly json?: true;
}

/** The exit codes besides COULD_NOT_LOOK: no difference, or some difference. */
const CLEAN = 0;
const DIFFERS = 1;

/** How many findings of the audit are shown; `ducat audit` shows them all. */
const MOST_FINDINGS = 100;

/** How many transactions in flight are shown; all are counted. */
const MOST_IN_FLIGHT = 200;

/** The command, to be added to the program. */
export function reconcileCommand(): Command {
  return withConfigOptions(new Command('reconcile'))
    .description(
      'compare all balances with the books, chain by chain; exit code 0 clean, 1 differs, 3 could not look',
    )
    .option('--json', 'the result as JSON')
    .action(reconcile);
}

interface Looked extends LookedAtChain {
  /** Empty where cold storage holds nothing, or where the chain could not be asked. */
  readonly cold: readonly ComparedCold[];
  /** Transactions in flight and unexplained outflows, read from the books alone. */
  readonly inFlight: InFlightReport;
  readonly definition: ChainDefinition;
}

async function reconcile(options: ReconcileOptions): Promise<void> {
  const isJson = options.json === true;
  const print = (lines: readonly string[]) => {
    if (!isJson) process.stdout.write(`${lines.join('\n')}\n`);
  };
  const { looked, findings } = await lookAtAll(options, print).catch(couldNotLook);
  const exitCode = exitCodeOf(looked, findings);
  print([...findings.map((finding) => `✗ ${finding}`), verdict(exitCode)]);
  if (isJson) {
    const result = { clean: exitCode === CLEAN, findings, chains: looked.map(asJson) };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  }
  if (exitCode !== CLEAN) process.exitCode = exitCode;
}

interface LookedAtAll {
  readonly looked: readonly Looked[];
  readonly findings: readonly string[];
}

async function lookAtAll(
  options: ReconcileOptions,
  print: (lines: readonly string[]) => void,
): Promise<LookedAtAll> {
  return onSetup(options, async (setup) => {
    const chains = setup.config.chains;
    if (chains.length === 0) throw new CommandError('the configuration names no chain that is on');
    const looked: Looked[] = [];
    for (const chain of chains) {
      const one = await lookAt(setup, chain);
      looked.push(one);
      print([...comparedText(one), ...coldText(one.cold), ...inFlightText(one.inFlight, one.definition)]);
    }
    const found = await readAuditFindings(setup.database.reader, MOST_FINDINGS);
    return { looked, findings: found.map(({ finding }) => finding) };
  });
}

async function lookAt({ database, world }: Setup, configured: ConfiguredChain): Promise<Looked> {
  const { reader } = database;
  const { definition } = configured;
  const { name: chain } = definition;
  const nativeId = nativeCurrency(definition).currencyId;
  const inFlight = await readInFlight(reader, chain, { nativeId, limit: MOST_IN_FLIGHT });
  const books = { chain, inFlight, definition, cold: [] };
  const { haltedReason } = await readBooksHeight(reader, chain);
  if (haltedReason !== null) return { ...books, state: 'halted', reason: haltedReason, compared: null };
  const progress = showProgress(process.stderr);
  try {
    const comparing = {
      chain: openChain(configured, { world }),
      reader,
      world,
      signal: new AbortController().signal,
    };
    const compared = await compareChain(comparing, (addresses) =>
      progress.show(`${chain}: ${addresses} addresses`),
    );
    const cold = await compareCold(comparing);
    return { ...books, ...stateOf(compared, cold), compared, cold };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { ...books, state: 'unreachable', reason: error.message, compared: null };
  } finally {
    progress.end();
  }
}

function stateOf(
  { finalBlock, currencies }: ComparedChain,
  cold: readonly ComparedCold[],
): Pick<Looked, 'state' | 'reason'> {
  // No balance was asked for: the first final block may be a minute away, or the node may never have answered.
  if (finalBlock === null) return { state: 'unreachable', reason: 'nothing is final in the books yet' };
  const [silent] = currencies.flatMap(({ trouble }) => trouble ?? []);
  const differs = currencies.some(({ differing }) => differing > 0) || cold.some(isColdShort);
  if (differs) return { state: 'differs', reason: silent ?? null };
  const unasked = cold.find(({ chain }) => chain === null);
  if (silent === undefined && unasked !== undefined)
    return { state: 'unreachable', reason: `no node reports the balance of ${unasked.address}` };
  return silent === undefined ? { state: 'clean', reason: null } : { state: 'unreachable', reason: silent };
}

function exitCodeOf(looked: readonly Looked[], findings: readonly string[]): number {
  const isExplained = looked.every(({ inFlight: { unexplained } }) => unexplained.length === 0);
  // The books show this also where a chain is halted or cannot be reached.
  if (findings.length > 0 || !isExplained || looked.some(({ state }) => state === 'differs')) return DIFFERS;
  return looked.every(({ state }) => state === 'clean') ? CLEAN : COULD_NOT_LOOK;
}

function asJson({ chain, state, reason, compared, cold, inFlight, definition }: Looked): object {
  const currencies = compared?.currencies ?? [];
  return {
    chain,
    state,
    reason,
    final_block: compared?.finalBlock ?? null,
    addresses: compared?.addresses ?? 0,
    cold: cold.map(({ address, currency, ledger, chain: held }) => ({
      address,
      currency_id: currency.currencyId,
      ledger: formatAmount(ledger, currency),
      chain: held === null ? null : formatAmount(held, currency),
    })),
    in_flight: inFlightJson(inFlight, definition),
    currencies: currencies.map((one) => ({
      ...amounts(chain, one),
      currency_id: one.currency.currencyId,
      block: one.atBlock,
      differing_addresses: one.differing,
      differences: one.differences.map(({ address, difference, atBlock }) => ({
        address,
        difference: formatAmount(difference, one.currency),
        block: atBlock,
      })),
      trouble: one.trouble,
    })),
  };
}

function verdict(exitCode: number): string {
  const { green, red, yellow } = paletteFor(process.stdout);
  if (exitCode === CLEAN)
    return green('Clean: every address holds what the books say, and nothing left unexplained.');
  if (exitCode === COULD_NOT_LOOK)
    return yellow('Nothing differs where it could be looked, and not all could be.');
  return red('NOT clean. Find out why before anything is paid out: docs/operate/reserves.md.');
}
