// The statements of the API's floor: those that order/create and order/detail need at the least, for one order each.
import { DETAIL } from '@ducat/gateway/db/tables/orders/orders';
import { USDT } from '../chains/chain-entry.ts';
import type { Recorded } from '../workers/statements.ts';

/** Takes an address and writes an order. The first and the third value have to be unique: trade_no and out_trade_no. */
export function floorInsert(appId: string, now: number): Recorded {
  return {
    sql: `WITH taken AS (
        UPDATE addresses SET trade_no = $1
        WHERE address_id = (
          SELECT address_id FROM addresses
          WHERE (app_id, family, address_id) >= ($2, 'evm', 0) AND (app_id, family) <= ($2, 'evm')
            AND purpose = 'order' AND trade_no IS NULL AND NOT retired
          ORDER BY app_id, family, address_id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING address_id, address, derivation_index
      ), keyed AS (
        INSERT INTO order_keys (app_id, out_trade_no, trade_no) SELECT $2, $3, $1 FROM taken
      )
      INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address,
        due, collected, tolerance_ppm, status, fiat_name, fiat_amount, create_time, time_expire)
      SELECT $1, $2, $3, $4, 'NATIVE', 'ETH', $5, address_id, address, $6::numeric, 0, 0, 'TO-BE-PAID', 'EUR', '9.99',
        $7, $8 FROM taken RETURNING *`,
    values: ['floor-0', appId, 'floor-0', 'f'.repeat(64), USDT.id, '11100000', now, now + 1_800],
  };
}

/** Reads one order of an app by its trade_no, which is the first value. */
export function floorSelect(appId: string, tradeNo: string): Recorded {
  return {
    sql: `SELECT detail.*, (SELECT head_number FROM chain_cursors c WHERE c.chain = detail.chain) AS head
      FROM (${DETAIL} WHERE o.trade_no = $1 AND o.app_id = $2) AS detail`,
    values: [tradeNo, appId],
  };
}
