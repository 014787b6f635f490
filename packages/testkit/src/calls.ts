// Lines of the log of the API's calls, as the API writes them.
import type { Database } from '@ducat/gateway/db/postgres/tx';
import type { ApiCall } from '@ducat/gateway/db/tables/api-calls';
import { recordCalls } from '@ducat/gateway/flows/calls/record-calls';

const CALL: ApiCall = {
  callId: 'cal_1',
  appId: 'app_1',
  atMs: 0,
  operation: 'create-order',
  path: 'POST /api/order/create',
  httpStatus: 200,
  code: 0,
  message: 'success',
  durationMs: 9,
  address: '192.0.2.7',
  requestId: 'req_1',
  bodyBytes: 2,
  isProven: true,
  outTradeNo: null,
  tradeNo: null,
  calls: 1,
  kept: null,
};

export function insertTestCalls(
  { transact }: Pick<Database, 'transact'>,
  calls: readonly Partial<ApiCall>[],
): Promise<void> {
  return transact((tx) =>
    recordCalls(
      tx,
      calls.map((call) => ({ ...CALL, ...call })),
    ),
  );
}
