// Sends the signed example to the gateway of a demo, and verifies the answer before it is shown.
import { idempotencyHeader } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import type { SignedRequest } from '../samples/request.ts';
import { sign } from '../samples/sign.ts';
import { one } from './one.ts';
import { operationAddress } from './place.ts';
import { keepTradeNo } from './trade-no.ts';

export async function sendSigned(panel: HTMLElement, request: SignedRequest, appKey: string): Promise<void> {
  const place = one(panel, '.sign-answer', HTMLElement);
  const status = one(place, '.answer-status', HTMLElement);
  const code = one(place, 'pre code', HTMLElement);
  place.hidden = false;
  status.textContent = 'Asking …';
  try {
    const response = await fetch(operationAddress(request.path), {
      method: 'POST',
      body: request.body,
      headers: {
        'content-type': 'application/json',
        [headerNames.appId]: request.appId,
        [headerNames.timestamp]: request.timestamp,
        [headerNames.signature]: request.signature,
        ...(request.idempotencyKey === '' ? {} : { [idempotencyHeader]: request.idempotencyKey }),
      },
    });
    const text = await response.text();
    const expected = await sign(text, response.headers.get(headerNames.timestamp) ?? '', appKey.trim());
    const isGenuine = response.headers.get(headerNames.signature) === expected;
    status.textContent = `HTTP ${response.status}. ${isGenuine ? 'The signature of the answer fits.' : 'The answer is not signed.'}`;
    code.textContent = indented(text);
    showLink(place, text);
    keepTradeNo(text);
  } catch {
    status.textContent = 'The gateway did not answer.';
    code.textContent = '';
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Links to the order's payment page where the answer has its address. */
function showLink(place: HTMLElement, text: string): void {
  place.querySelector('a')?.remove();
  const address = /"entrust_url":"(https?:[^"]+)"/.exec(text)?.[1];
  if (address === undefined) return;
  const link = document.createElement('a');
  link.href = address;
  link.textContent = 'Open the payment page of this order';
  place.append(link);
}
