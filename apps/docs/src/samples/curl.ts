// A request as a shell script: openssl signs it when the script runs, or it has a signature that was made before.
import { idempotencyHeader } from '@ducat/contract/idempotency-key';
import { headerNames } from '@ducat/contract/signature';
import type { SampleRequest, SignedRequest } from './request.ts';

/** A script that signs by itself, with the variables APP_ID and APP_KEY. */
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

/** A call that is signed already, so it does not have the AppKey. */
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

/** Quotes any text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
