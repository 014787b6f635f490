// Asks the server for one operation. A missing second factor is asked for here, so no screen has to know of it.
import type { DashboardCode, DashboardRefusalBody } from '@ducat/contract/dashboard/refusal';
import type { OperationName, RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { Refusal, Unreachable } from './refusal.ts';
import { askForStepUp } from './step-up.ts';

/** Throws a Refusal, or Unreachable where there was no answer. */
export async function call<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
  signal?: AbortSignal,
): Promise<ResponseOf<Name>> {
  const first = await post(name, request, signal);
  // The server checks its answers against the same schema.
  if (first.ok) return first.body as ResponseOf<Name>;
  if (first.refusal.code !== 'step-up-needed' || !(await askForStepUp())) throw first.refusal;
  const second = await post(name, request, signal);
  if (!second.ok) throw second.refusal;
  // As above.
  return second.body as ResponseOf<Name>;
}

type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

async function post(name: string, request: object, signal: AbortSignal | undefined): Promise<Answer> {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(request),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Unreachable(String(error));
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return { ok: true, body };
  if (!isRefusal(body)) throw new Unreachable(`HTTP ${response.status}`);
  return { ok: false, refusal: new Refusal(response.status, body) };
}

function isRefusal(body: unknown): body is DashboardRefusalBody & { readonly code: DashboardCode } {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body;
}
