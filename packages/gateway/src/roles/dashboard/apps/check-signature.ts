// apps.check-signature: what the gateway hashes for a request, and which mistake makes the shop's signature differ.
import { createHash } from 'node:crypto';
import { answer, type Handler, unknown } from '../call.ts';
import { seconds } from '../texts.ts';
import { explainSignature } from './explain-signature.ts';
import { findOwnApp } from './own-app.ts';

export const handleSignatureCheck: Handler<'apps.check-signature'> = async (call, request) => {
  const { deps, nowMs } = call;
  const { app_id: appId, body } = request;
  const own = await findOwnApp(call, appId);
  const access = own === null ? null : await deps.appKeys.keysFor(appId);
  if (access === null) return unknown('app');
  const bytes = Buffer.from(body);
  await deps.transact((tx) => call.record(tx, { subject: appId, detail: 'a signature was looked at' }));
  return answer({
    ...explainSignature(request, access.keys, seconds(nowMs)),
    body_bytes: bytes.length,
    body_hash: createHash('sha256').update(bytes).digest('hex'),
    key_length: access.keys[0].length,
    now: seconds(nowMs),
  });
};
