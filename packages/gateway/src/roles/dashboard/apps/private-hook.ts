// Refuses a webhook address whose host is a private IP or localhost; other host names are checked when they are resolved.
import { isPublicCallback } from '../../../http/callback-address.ts';
import { refusal } from '../call.ts';
import type { DataDeps } from '../data-port.ts';

/** Null where the address may be kept. */
export function privateHook({ isCallableAddress }: Pick<DataDeps, 'isCallableAddress'>, url: string | null) {
  if (url === null || isPublicCallback(new URL(url), isCallableAddress)) return null;
  return refusal('field-invalid', 'must not name a private or local address', { field: 'callback_url' });
}
