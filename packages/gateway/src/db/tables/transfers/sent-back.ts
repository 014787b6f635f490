// SQL: whether a receipt was sent back, or is on its way back.

/** A refund by the payout `p` stands. One that failed or was cancelled gave everything back, except what its recipient kept. */
export const REFUND_STANDS = `(p.status NOT IN ('FAIL', 'CANCEL') OR p.kept > 0)`;

const refundOf = (transfer: string, stands: string): string => `EXISTS (
  SELECT FROM receipt_refunds back JOIN payouts p ON p.trade_no = back.trade_no
  WHERE back.chain = ${transfer}.chain AND back.tx_id = ${transfer}.tx_id AND back.position = ${transfer}.position
    AND ${stands})`;

/** A refund of the transfer of that name stands, be it of a part. */
export const isSentBack = (transfer: string): string => refundOf(transfer, REFUND_STANDS);

/** Nothing of it stays: it is on its way back, or arrived there. */
export const isSentBackWhole = (transfer: string): string =>
  refundOf(transfer, `p.status NOT IN ('FAIL', 'CANCEL')`);
