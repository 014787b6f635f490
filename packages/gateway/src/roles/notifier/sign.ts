// Signs one webhook attempt: the headers that prove to the merchant who speaks, when, and about what.
import { createHmac } from 'node:crypto';
import { headerNames, signatureHash, signedBytes, timestampText } from '@ducat/contract/signature';

/** What is sent, without the signature. */
export interface UnsignedDelivery {
  readonly eventId: string;
  readonly appId: string;
  readonly status: string;
  readonly body: string;
}

/** All headers of one attempt. The body never changes, the timestamp (Unix seconds) and so the signature do. */
export function sign(
  delivery: UnsignedDelivery,
  appKey: string,
  nowSeconds: number,
): Readonly<Record<string, string>> {
  const timestamp = timestampText(nowSeconds);
  const message = signedBytes(Buffer.from(delivery.body, 'utf8'), timestamp, appKey);
  return {
    [headerNames.appId]: delivery.appId,
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: createHmac(signatureHash, Buffer.from(appKey, 'utf8'))
      .update(message)
      .digest('hex'),
    [headerNames.eventType]: delivery.status,
    [headerNames.eventId]: delivery.eventId,
    'Content-Type': 'application/json',
    'User-Agent': 'Ducat-Webhook/1',
  };
}
