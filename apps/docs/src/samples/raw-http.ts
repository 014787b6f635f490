// A request as raw HTTP, for clients in other languages.
import { idempotencyHeader } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import type { SignedRequest } from './request.ts';

export function rawHttp(request: SignedRequest): string {
  const url = new URL(`${request.baseUrl}${request.path}`);
  return [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    `Content-Length: ${new TextEncoder().encode(request.body).length}`,
    `${headerNames.appId}: ${request.appId}`,
    `${headerNames.timestamp}: ${request.timestamp}`,
    `${headerNames.signature}: ${request.signature}`,
    ...(request.idempotencyKey === '' ? [] : [`${idempotencyHeader}: ${request.idempotencyKey}`]),
    '',
    request.body,
  ].join('\n');
}
