// An order as every list shows it.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';

export const orderStatus = Type.Enum(['TO-BE-PAID', 'PAID', 'TIME-OUT'], {
  'x-expects': 'one of TO-BE-PAID, PAID, TIME-OUT',
});

export const orderRow = strictObject({
  trade_no: Type.String(),
  out_trade_no: Type.String(),
  app_id: Type.String(),
  mode: Type.Enum(['NATIVE', 'HOSTED']),
  status: orderStatus,
  currency_id: f.currencyId,
  amount: f.amount,
  /** Final money only. */
  collected: f.amount,
  /** Whether the collected amount covers the amount due, less the tolerance of the order. */
  is_paid_in_full: Type.Boolean(),
  /** Null where the order was not priced in fiat. */
  fiat: f.nullable(strictObject({ name: Type.String(), amount: Type.String() })),
  create_time: f.time,
  time_expire: f.time,
  /** The order's newest event; null where there is none. */
  webhook: f.nullable(
    strictObject({ state: Type.Enum(['pending', 'delivered', 'dead', 'unsent']), attempts: Type.Integer() }),
  ),
});
