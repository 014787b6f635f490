// What persons signed about payouts, kept for the signer.
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface KeptApproval extends PayoutApproval {
  readonly approvedAtMs: number;
}

/**
 * Keeps one approval of each approver: the one that is valid longest. With `isAnew` the new one is kept, because those
 * before may be used up.
 */
export async function insertApproval(
  tx: Tx,
  tradeNo: string,
  approval: KeptApproval,
  isAnew: boolean,
): Promise<void> {
  const { approver, feeCap, expiry, signature, approvedAtMs } = approval;
  await tx.write(
    `INSERT INTO payout_approvals (trade_no, approver, fee_cap, expiry, signature, approved_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (trade_no, approver) DO UPDATE SET fee_cap = excluded.fee_cap, expiry = excluded.expiry,
       signature = excluded.signature, approved_at_ms = excluded.approved_at_ms
     WHERE payout_approvals.expiry <= excluded.expiry OR $7`,
    [tradeNo, approver, feeCap.toString(), expiry, signature, approvedAtMs, isAnew],
  );
}

/** All approvals of a payout, the one that is valid longest first. */
export async function readApprovals(reader: Reader, tradeNo: string): Promise<readonly KeptApproval[]> {
  const rows = await reader.read<{
    readonly approver: string;
    readonly fee_cap: string;
    readonly expiry: number;
    readonly signature: string;
    readonly approved_at_ms: number;
  }>('SELECT * FROM payout_approvals WHERE trade_no = $1 ORDER BY expiry DESC, approver', [tradeNo]);
  return rows.map(({ approver, fee_cap, expiry, signature, approved_at_ms }) => ({
    approver,
    feeCap: BigInt(fee_cap),
    expiry,
    signature,
    approvedAtMs: approved_at_ms,
  }));
}
