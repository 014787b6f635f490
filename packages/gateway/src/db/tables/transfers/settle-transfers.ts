// Settles transfers: seen ones become final with their disposition, or orphaned with their blocks.
import type { AddressPurpose, OwnAddress } from '@ducat/core/ledger/account';
import type { PromisedTransfer } from '@ducat/core/outgoing/promise';
import type { DueTransfer, SettledTransfers } from '@ducat/core/order/settle-all';
import type { Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { identityLists, toTransfer, type TransferRow } from './transfer-row.ts';

interface DueRow extends TransferRow {
  readonly ordinal: number;
  readonly app_id: string | null;
  readonly trade_no: string | null;
  readonly to_purpose: AddressPurpose | null;
  readonly from_purpose: AddressPurpose | null;
  readonly from_app_id: string | null;
  readonly deposit_fee_ppm: number | null;
  readonly promised_to: string | null;
  readonly promised_from: string;
  readonly promised_currency: number;
  readonly promised_units: string;
  readonly qr_code_id: number | null;
  readonly qr_currency_id: number;
  readonly qr_create_time: number;
  readonly qr_disabled_time: number | null;
  readonly is_cold_return: boolean;
}

/** A transfer to be settled, with its place among those of its block. */
export interface PlacedDue extends DueTransfer {
  readonly ordinal: number;
}

export interface SettleRange {
  /** A height that is final now. */
  readonly upTo: number;
  /** Only transfers in higher blocks; all if left out. */
  readonly above?: number | null;
  /** Only transfers after this one. */
  readonly after?: PlacedDue;
}

/** The first seen transfers of a range, in the order of the chain, locked. */
export async function lockTransfersToSettle(
  tx: Tx,
  chain: string,
  { upTo, above, after }: SettleRange,
  limit: number,
): Promise<readonly PlacedDue[]> {
  const rows = await tx.read<DueRow>(LOCK, [
    chain,
    upTo,
    limit,
    after?.transfer.block.number ?? (above ?? -1) + 1,
    after?.ordinal ?? -1,
    after?.transfer.txId ?? '',
    after?.transfer.position ?? '',
  ]);
  return rows.map((row) => ({
    transfer: toTransfer(row),
    ordinal: row.ordinal,
    from: ownAddress(row.from_address, row.from_purpose, row.from_app_id),
    to: ownAddress(row.to_address, row.to_purpose, row.app_id),
    feePpm: BigInt(row.deposit_fee_ppm ?? 0),
    tradeNo: row.trade_no,
    promised: promisedIn(row),
    isColdReturn: row.is_cold_return,
    ...qrCodeOf(row),
  }));
}

const LOCK = `
  SELECT t.*, recipient.purpose AS to_purpose, sender.purpose AS from_purpose, sender.app_id AS from_app_id,
    m.deposit_fee_ppm, o.to_address AS promised_to, payer.address AS promised_from,
    o.currency_id AS promised_currency, o.units AS promised_units,
    q.qr_code_id, q.currency_id AS qr_currency_id, q.create_time AS qr_create_time,
    q.disabled_time AS qr_disabled_time,
    recipient.purpose = 'wallet' AND EXISTS (SELECT FROM cold_addresses c
      WHERE c.chain = t.chain AND c.address = t.from_address) AS is_cold_return
  FROM transfers t
    LEFT JOIN addresses recipient ON recipient.address_id = t.address_id
    LEFT JOIN addresses sender ON sender.address_id = t.from_address_id
    LEFT JOIN apps a ON a.app_id = t.app_id
    LEFT JOIN merchants m ON m.merchant_id = a.merchant_id
    LEFT JOIN outgoing_variants v ON t.from_address_id IS NOT NULL AND v.chain = t.chain AND v.tx_id = t.tx_id
    LEFT JOIN outgoing_transactions o ON o.outgoing_id = v.outgoing_id
    LEFT JOIN senders l ON l.sender_id = o.sender_id
    LEFT JOIN addresses payer ON payer.address_id = l.address_id
    LEFT JOIN qr_codes q ON q.address_id = t.address_id
  WHERE t.chain = $1 AND t.state = 'seen' AND t.block_number <= $2 AND t.block_number >= $4
    AND (t.block_number, t.ordinal, t.tx_id, t.position) > ($4, $5, $6, $7)
  ORDER BY t.block_number, t.ordinal, t.tx_id, t.position
  LIMIT $3
  FOR UPDATE OF t`;

function promisedIn(row: DueRow): PromisedTransfer | null {
  if (row.promised_to === null) return null;
  const amount = fromNumeric(row.promised_currency, row.promised_units);
  return { from: row.promised_from, to: row.promised_to, amount };
}

function ownAddress(
  address: string,
  purpose: AddressPurpose | null,
  appId: string | null,
): OwnAddress | null {
  return purpose === null ? null : { address, purpose, appId };
}

function qrCodeOf(row: DueRow): Pick<DueTransfer, 'qrCode'> {
  if (row.qr_code_id === null || row.app_id === null) return {};
  return {
    qrCode: {
      qrCodeId: row.qr_code_id,
      appId: row.app_id,
      currencyId: row.qr_currency_id,
      createTime: row.qr_create_time,
      disabledTime: row.qr_disabled_time,
    },
  };
}

/** Marks transfers final with their dispositions. */
export async function markFinal(tx: Tx, settled: SettledTransfers['dispositions']): Promise<void> {
  if (settled.length === 0) return;
  await tx.write(
    `UPDATE transfers SET state = 'final', disposition = s.disposition
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS s (chain, tx_id, position, disposition)
     WHERE transfers.chain = s.chain AND transfers.tx_id = s.tx_id AND transfers.position = s.position`,
    [
      ...identityLists(settled.map(({ transfer }) => transfer)),
      settled.map(({ disposition }) => disposition),
    ],
  );
}

/** Marks seen and proposed transfers above a height orphaned; returns how many of them were seen. */
export async function orphanTransfersAbove(tx: Tx, chain: string, number: number): Promise<number> {
  const rows = await tx.write<{ orphaned: number }>(
    `WITH undone AS (
       SELECT chain, tx_id, position, state FROM transfers
       WHERE chain = $1 AND state IN ('seen', 'proposed') AND block_number > $2 FOR UPDATE
     ), orphaned AS (
       UPDATE transfers t SET state = 'orphaned' FROM undone
       WHERE t.chain = undone.chain AND t.tx_id = undone.tx_id AND t.position = undone.position
     ) SELECT count(*) AS orphaned FROM undone WHERE state = 'seen'`,
    [chain, number],
  );
  return rows[0]?.orphaned ?? 0;
}
