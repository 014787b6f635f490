// Asks the faucet of a demo for the demo's app. A real deployment has no faucet, and then no request is made.
import { faucetUrl } from './place.ts';

export interface DemoApp {
  readonly appId: string;
  readonly appKey: string;
}

/** Null where there is no faucet, or where the faucet lends no app. */
export async function askDemoApp(kind: 'PAYMENT' | 'QR_CODE'): Promise<DemoApp | null> {
  if (faucetUrl === '') return null;
  try {
    const response = await fetch(new URL('access', faucetUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind }),
    });
    const answer: unknown = await response.json();
    return isAccess(answer) ? { appId: answer.app_id, appKey: answer.app_key } : null;
  } catch {
    return null;
  }
}

function isAccess(value: unknown): value is { readonly app_id: string; readonly app_key: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'app_id' in value &&
    typeof value.app_id === 'string' &&
    'app_key' in value &&
    typeof value.app_key === 'string'
  );
}
