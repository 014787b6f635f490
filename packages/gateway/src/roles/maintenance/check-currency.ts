// One check: compares the addresses that are due in one currency, records the result, and logs an error where they differ.
import type { Currency } from '@ducat/core/chain/currency';
import { subtract } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import { addressesPerCall, type CheckKind, isEnded } from '@ducat/core/reserves/plan';
import { readDifferences } from '../../db/tables/books/balance-differences.ts';
import { readTouchedAddresses, type UsedAddress } from '../../db/reports/touched-addresses.ts';
import { readUsedAddresses } from '../../db/tables/addresses.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { ReserveCheck } from '../../db/tables/books/reserve-checks.ts';
import { raiseDifferences } from '../../flows/checks/raise-differences.ts';
import {
  type Compared,
  type ComparedBalance,
  recordComparison,
} from '../../flows/checks/record-comparison.ts';
import { startRound } from '../../flows/checks/start-round.ts';
import { compareBalances, type Comparing } from './compare-balances.ts';
import type { ReserveChecks } from './reserve-checks.ts';

export interface CurrencyChecks extends ReserveChecks, Comparing {
  readonly lease: HeldLease;
}

export interface DueCheck {
  readonly kind: CheckKind;
  readonly currency: Currency;
  readonly row: ReserveCheck;
  /** The block up to which the books know everything of the currency. */
  readonly reached: number;
}

/** How many addresses one log line names. */
const NAMED_ADDRESSES = 5;

/** Whether no address is left to check of this kind. Throws Outage where the chain or the database cannot be asked. */
export async function checkCurrency(checks: CurrencyChecks, due: DueCheck): Promise<boolean> {
  const { transact, lease, world } = checks;
  const { chain, currencyId } = due.row;
  const page = await pageOf(checks, due);
  if (page === null) return true;
  const balances = await compareBalances(checks, due.currency, page.addresses);
  const { compared } = page;
  const comparison = { lease, chain, currencyId, compared, balances, nowMs: world.nowMs() };
  const recorded = await transact((tx) => recordComparison(tx, comparison));
  if (recorded === null) return true;
  if (recorded.endedRound) checks.log.info({ chain, currencyId }, 'a round of balances ended');
  report(checks, due.currency, page.addresses, balances, recorded);
  if (recorded.appeared.length > 0 || due.kind === 'differing') await raise(checks, due.currency);
  return page.isAll;
}

interface Page {
  readonly addresses: readonly UsedAddress[];
  readonly compared: Compared;
  readonly isAll: boolean;
}

/** Null where the lease was lost. */
async function pageOf(checks: CurrencyChecks, { kind, row, reached }: DueCheck): Promise<Page | null> {
  const { reader, chain: reserves } = checks;
  const { chain, currencyId } = row;
  const limit = addressesPerCall[reserves.definition.family];
  if (kind === 'rotation') return roundPage(checks, row, limit);
  if (kind === 'differing') {
    const addresses = await readDifferences(reader, { chain, currencyId, limit });
    return { addresses, compared: { kind }, isAll: true };
  }
  const range = { chain, currencyId, from: row.touchedUntil, to: reached };
  const { addresses, until } = await readTouchedAddresses(reader, range, limit);
  return { addresses, compared: { kind, until }, isAll: until >= reached };
}

async function roundPage(checks: CurrencyChecks, before: ReserveCheck, limit: number): Promise<Page | null> {
  const { transact, reader, lease, world, chain: reserves } = checks;
  const { chain, currencyId } = before;
  const row = isEnded(before.round)
    ? await transact((tx) => startRound(tx, { lease, chain, currencyId, nowMs: world.nowMs() }))
    : before;
  if (row === null) return null;
  const { position, end } = row.round;
  const { family } = reserves.definition;
  const addresses = await readUsedAddresses(reader, { family, after: position, upTo: end, limit });
  const last = addresses.length < limit ? end : (addresses.at(-1)?.addressId ?? end);
  return { addresses, compared: { kind: 'rotation', position: last }, isAll: true };
}

function report(
  { log, chain }: CurrencyChecks,
  currency: Currency,
  addresses: readonly UsedAddress[],
  balances: readonly ComparedBalance[],
  { appeared, explained }: { readonly appeared: readonly number[]; readonly explained: readonly number[] },
): void {
  const fields = {
    chain: chain.definition.name,
    currencyId: currency.currencyId,
    currency: currency.symbol,
  };
  const addressOf = (id: number) => addresses.find(({ addressId }) => addressId === id)?.address;
  if (explained.length > 0) {
    const named = explained.slice(0, NAMED_ADDRESSES).map(addressOf);
    log.info({ ...fields, count: explained.length, addresses: named }, 'a difference is explained');
  }
  if (appeared.length === 0) return;
  const named = balances
    .filter(({ addressId }) => appeared.includes(addressId))
    .slice(0, NAMED_ADDRESSES)
    .map(({ addressId, expected, actual, atBlock }) => ({
      address: addressOf(addressId),
      block: atBlock,
      ledger: formatAmount(expected, currency),
      chain: formatAmount(actual, currency),
      difference: formatAmount(subtract(actual, expected), currency),
    }));
  log.error({ ...fields, count: appeared.length, addresses: named }, 'ledger and chain differ');
}

/** Checks all differences of the currency, because an earlier one may have become old enough to count. */
async function raise(
  { transact, lease, world, log, chain }: CurrencyChecks,
  currency: Currency,
): Promise<void> {
  const { name } = chain.definition;
  const raise = { lease, chain: name, currency, nowMs: world.nowMs() };
  const raised = await transact((tx) => raiseDifferences(tx, raise));
  if (raised === null || !raised.isSuspended) return;
  const { currencyId, symbol } = currency;
  log.error(
    { chain: name, currencyId, currency: symbol, count: raised.raised.length },
    'a currency takes no new orders: ledger and chain differ',
  );
}
