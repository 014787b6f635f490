// A request for a shell: signed by openssl when it runs, or with a signature that was made before.
import { idempotencyHeader } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import type { SampleRequest, SignedRequest } from './request.ts';

/** Signs by itself: the variables APP_ID and APP_KEY say as whom. */
export function curlThatSigns({ baseUrl, path, body, idempotencyKey }: SampleRequest): string {
  const name = idempotencyKey === '' ? '' : `  -H ${quoted(`${idempotencyHeader}: ${idempotencyKey}`)} \\\n`;
  return `BODY=${quoted(body)}
TS=$(date +%s)
SIGN=$(printf '%s' "$BODY$TS$APP_KEY" | openssl dgst -sha256 -hmac "$APP_KEY" | sed 's/^.*= *//')

curl -sS ${quoted(`${baseUrl}${path}`)} \\
  -H 'content-type: application/json' \\
  -H "${headerNames.appId}: $APP_ID" -H "${headerNames.timestamp}: $TS" -H "${headerNames.signature}: $SIGN" \\
${name}  --data-binary "$BODY"`;
}

/** Is signed already, so no key stands in it. */
export function curlSigned(request: SignedRequest): string {
  const headers = [
    'content-type: application/json',
    `${headerNames.appId}: ${request.appId}`,
    `${headerNames.timestamp}: ${request.timestamp}`,
    `${headerNames.signature}: ${request.signature}`,
    ...(request.idempotencyKey === '' ? [] : [`${idempotencyHeader}: ${request.idempotencyKey}`]),
  ];
  return [
    `curl -sS ${quoted(`${request.baseUrl}${request.path}`)} \\`,
    ...headers.map((header) => `  -H ${quoted(header)} \\`),
    `  --data-binary ${quoted(request.body)}`,
  ].join('\n');
}

/** A text as one word of a POSIX shell, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
