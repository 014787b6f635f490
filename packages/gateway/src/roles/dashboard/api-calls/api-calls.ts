// The log of the API's calls, as the developers of a merchant read it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { findCall, type ListedCall, pageOfCalls } from '../../../db/reports/dashboard/call-list.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf, DEFAULT_ROWS, idSpan, nextOf } from '../merchant-scope.ts';

export const handleCallList: Handler<'api-calls.list'> = async (call, request) => {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const limit = request.limit ?? DEFAULT_ROWS;
  const { calls, searchedTo } = await pageOfCalls(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    isRefused: request.refused,
    operation: request.operation,
    named: request.named,
    ...idSpan('cal', request),
    limit,
  });
  return answer({
    calls: calls.map(presentCall),
    next_cursor: searchedTo ?? nextOf(calls, limit, ({ callId }) => callId),
  });
};

export const handleCallRead: Handler<'api-calls.read'> = async (call, { call_id: callId }) => {
  const apps = (await appsOf(call)) ?? [];
  const found = await findCall(
    call.reader,
    apps.map(({ appId }) => appId),
    callId,
  );
  if (found === null) return unknown('call');
  const { kept } = found;
  return answer({
    call: {
      ...presentCall(found),
      address: found.address,
      request_id: found.requestId,
      body_bytes: found.bodyBytes,
    },
    kept:
      kept === null
        ? null
        : {
            timestamp: kept.timestamp,
            signature: kept.signature,
            signature_fits: kept.signatureFits,
            body: kept.body,
            body_is: kept.bodyIs,
          },
  });
};

function presentCall(call: ListedCall): ResponseOf<'api-calls.list'>['calls'][number] {
  return {
    call_id: call.callId,
    app_id: call.appId,
    at_ms: call.atMs,
    operation: call.operation,
    path: call.path,
    http_status: call.httpStatus,
    code: call.code,
    message: call.message,
    duration_ms: call.durationMs,
    is_proven: call.isProven,
    out_trade_no: call.outTradeNo,
    trade_no: call.tradeNo,
    calls: call.calls,
  };
}
