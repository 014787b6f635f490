// What is wrong in a batch of the books, in words, at most a hundred findings a kind.
import type { Reader, SqlValue } from '../../postgres/tx.ts';
import { readOrdersOf, type EntryBatch, type TransferBatch } from './batches.ts';
import {
  COLD_TRANSFERS,
  ABOVE_FINAL,
  ACCOUNTS,
  ACCOUNTS_BELOW,
  BOOKINGS,
  ENTRIES,
  FINAL_EVENTS,
  FROZEN,
  ORDERS,
  PAYOUTS,
  QR_PAYMENTS,
  SUMS_TO_ZERO,
  TRANSFERS,
} from './statements.ts';

/** The most findings of each kind. */
const MOST_FINDINGS = 100;

async function find(
  reader: Reader,
  statements: readonly string[],
  values: readonly SqlValue[],
): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const sql of statements) {
    const rows = await reader.read<{ finding: string }>(`${sql} LIMIT ${MOST_FINDINGS}`, values);
    findings.push(...rows.map(({ finding }) => finding));
  }
  return findings;
}

/** Checks entries, their postings, the transfers that they name, and the orders of those transfers. */
export async function findInEntries(
  reader: Reader,
  { entryIds, transfers }: EntryBatch,
): Promise<readonly string[]> {
  const orders = await readOrdersOf(reader, transfers);
  return [
    ...(await find(reader, ENTRIES, [entryIds])),
    ...(await find(reader, BOOKINGS, [entryIds, ...listsOf(transfers)])),
    ...(await find(reader, [...PAYOUTS, ...COLD_TRANSFERS], [entryIds])),
    ...(await findInOrders(reader, orders)),
    ...(await findInFinalEvents(reader, orders)),
  ];
}

/** Finds final transfers that are not booked, and payments to QR codes without a number or an event. */
export async function findInTransfers(reader: Reader, transfers: TransferBatch): Promise<readonly string[]> {
  if (transfers.txIds.length === 0) return [];
  return find(reader, [...TRANSFERS, QR_PAYMENTS], listsOf(transfers));
}

/** Checks what orders collected, their status, and whether their merchants were sent one final event. */
export function findInOrders(reader: Reader, tradeNos: readonly string[]): Promise<readonly string[]> {
  return find(reader, ORDERS, [tradeNos]);
}

/** Finds final events that are missing. */
export function findInFinalEvents(reader: Reader, tradeNos: readonly string[]): Promise<readonly string[]> {
  return find(reader, FINAL_EVENTS, [tradeNos]);
}

/** Finds transfers of a chain that are final too early. */
export function findAboveFinal(reader: Reader, chain: string): Promise<readonly string[]> {
  return find(reader, [ABOVE_FINAL], [chain]);
}

/** The sums of the postings of accounts up to an entry, in base units as text. */
export interface AuditedUnits {
  readonly upTo: number;
  readonly units: ReadonlyMap<number, string>;
}

/** Finds accounts whose balance is not the sum of their postings, and custody below zero. */
export async function findInAccounts(
  reader: Reader,
  accountIds: readonly number[],
  { upTo, units }: AuditedUnits,
): Promise<readonly string[]> {
  const known = accountIds.filter((accountId) => units.has(accountId));
  const audited = known.map((accountId) => units.get(accountId) ?? '0');
  return [
    ...(await find(reader, [ACCOUNTS], [accountIds, known, audited, upTo])),
    ...(await find(reader, [ACCOUNTS_BELOW], [accountIds])),
  ];
}

/** Finds currencies whose accounts do not sum to zero, and frozen money that no payout binds. Reads all accounts. */
export function findUnbalanced(reader: Reader): Promise<readonly string[]> {
  return find(reader, [SUMS_TO_ZERO, FROZEN], []);
}

function listsOf({ chains, txIds, positions }: TransferBatch): readonly SqlValue[] {
  return [chains, txIds, positions];
}
