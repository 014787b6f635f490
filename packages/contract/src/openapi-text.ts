// The prose of the OpenAPI document: precise enough to write a client from the document alone.
import { FIAT_DECIMALS } from './fields/order-terms.ts';
import { httpStatuses } from './http-statuses.ts';
import { bodyLimits } from './requests/strict-json.ts';
import { timestampWindowSeconds } from './signature.ts';
import { signatureVectors } from './signature-vectors.ts';
import { webhookDelivery } from './webhook-delivery.ts';

/** The description at the top of the document. */
export function openApiDescription(): string {
  const vector = signatureVectors[0];
  return `${callingRules}

## Signing a request

1. Serialise the body once, to UTF-8 bytes, and send exactly these bytes.
2. Take the current Unix time in seconds as text of exactly ten ASCII digits. It is valid for ${timestampWindowSeconds} seconds to either side.
3. Join three byte strings without separator: the body bytes, the timestamp, the AppKey (UTF-8).
4. \`X-Sign\` is the HMAC-SHA256 of these bytes **with the AppKey (UTF-8) as the key**, written as 64 lower-case hexadecimal characters.
5. Send \`X-Appid\`, \`X-Timestamp\` and \`X-Sign\`, each exactly once, and \`content-type: application/json\`.

With openssl and curl:

\`\`\`sh
TS=$(date +%s); BODY='{"currency_id":1001}'
SIGN=$(printf '%s' "$BODY$TS$KEY" | openssl dgst -sha256 -hmac "$KEY" | sed 's/.* //')
curl -sS -i "$URL/api/account/balance" -H "X-Appid: $APP" -H "X-Timestamp: $TS" -H "X-Sign: $SIGN" \\
  -H 'content-type: application/json' --data-binary "$BODY"
\`\`\`

Test vector: AppKey \`${vector?.appKey ?? ''}\`, timestamp \`${vector?.timestamp ?? ''}\`, body \`${vector?.body ?? ''}\` sign to \`${vector?.signature ?? ''}\`.

## Verifying a response

Every answer to a request whose signature fits carries \`X-Appid\`, \`X-Timestamp\` and \`X-Sign\` as response headers, refusals and 503 included. What is answered before the signature has proven the key (10006, 10007, 10008, transport trouble, 20009 for the whole network address) is not signed: anybody can cause it, so it proves nothing. The formula is the same, over the raw bytes of the response body. Check it before you parse the body, in constant time; check that X-Appid is yours and that X-Timestamp is within ${timestampWindowSeconds} seconds.

${orderOfChecks}`;
}

/** The description of the webhook: how it is signed, what the merchant answers, and when it is retried. */
export function webhookDescription(): string {
  return `The gateway POSTs the body to the callback_url of the order, or else to the webhook address of the app.

Verify before you act: X-Sign is computed over the raw body bytes + X-Timestamp + AppKey as for requests; X-Timestamp is within ${timestampWindowSeconds} seconds; X-Appid and the body's appid are yours; X-EventType equals the body's status. Each attempt is signed afresh; the body bytes of an event never change, and X-Event-Id stays the same. To process an event once, keep trade_no with status and amount_collected (payouts and QR payments have none) under a unique index: they are signed, X-Event-Id is not and serves logs and support.

Answer HTTP status 200 with the body \`${webhookDelivery.successBody}\` (text/plain) within ${webhookDelivery.attemptTimeoutSeconds} seconds. Redirects are not followed. After anything else the event is sent again, up to ${webhookDelivery.retrySeconds.length} times, after ${webhookDelivery.retrySeconds.map(duration).join(', ')}; each interval counts from the end of the attempt before.

Events of one trade_no come in order; a final event (PAID, TIME-OUT) may overtake an unfinished TO-BE-PAID.`;
}

const callingRules = `Every operation is a POST with one JSON object as body and answers the envelope \`{ "code", "msg", "data" }\`. Code 0 means success; every business outcome has HTTP status 200. Other statuses (${httpStatuses.map(({ status }) => status).join(', ')}) mean transport trouble and carry the envelope with a code other than 0.

Bodies are strict: valid UTF-8, no unknown fields, no duplicate keys, at most ${bodyLimits.maxBytes} bytes and ${bodyLimits.maxDepth} levels. Amounts are decimal strings (digits, at most one point); fiat amounts have at most ${FIAT_DECIMALS} decimals, token amounts at most those of the token; integers are written without fraction or exponent. A refusal with code 10003 names the field in \`msg\`.

The old paths under /v1 answer the same operations, except that currency_id is a string of digits both ways, redirect_url is unknown, and referer is accepted and ignored. Webhooks are the same for both: currency_id is an integer, and redirect_url is \`""\`.

Unless the operator set it otherwise, an app may make 50 requests a second (200 at once), and one network address 500 (2,000 at once); 20009 with Retry-After says that it was more. Only requests that are right up to their body count for the app.`;

const orderOfChecks = `## Order of checks

Headers present exactly once and app known and enabled (else 10006), timestamp (else 10007), signature (else 10008), kind of the app (else 10006), body (else 10003), rate limit of the app (else 20009, with Retry-After), then the operation itself. The rate limit of the network address comes before all of them.`;

/** A number of seconds as people write it: 5s, 3m, 6h. */
function duration(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}
