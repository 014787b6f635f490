// The readable page of the merchant API, rendered from the same registries as the OpenAPI document.
import { codes } from '@ducat/contract/codes';
import type { Endpoint } from '@ducat/contract/endpoint';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { successEnvelope } from '@ducat/contract/envelope';
import { events } from '@ducat/contract/events/registry';
import { openApiDescription, webhookDescription } from '@ducat/contract/openapi-text';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { fieldsTable, viewOf } from './fields-table.ts';
import { Html, html, prose } from './html.ts';
import { style } from './style.ts';

const operations: readonly Endpoint[] = Object.values(endpoints);

/** The whole page for a gateway that answers at `publicUrl`. */
export function docsPage(publicUrl: string): string {
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ducat merchant API</title><style>${new Html(style)}</style></head>
<body><div class="page">${navigation()}<main>
<h1>Ducat merchant API</h1>
<p class="lead">Create a payment order, show your customer the address and the amount, and hear of the payment by webhook.</p>
<p>This page and the <a href="/openapi.json">OpenAPI 3.1 document</a> come from the same source; either is enough to write a client.</p>
${quickStart(publicUrl)}
<h2 id="rules">Calling, signing, verifying</h2>${prose(openApiDescription())}${vectors()}
<h2 id="operations">Operations</h2>${operations.map((operation) => operationSection(operation))}
<h2 id="webhooks">Webhooks</h2>${Object.values(events).map((event) => eventSection(event))}
<h2 id="codes">Codes</h2>${codesTable()}
</main></div></body></html>`;
  return page.text;
}

function navigation(): Html {
  const links = operations.map(
    ({ name, path }) => html`<li><a href="#${name}">${path.replace('/api/', '')}</a></li>`,
  );
  return html`<nav aria-label="Contents"><strong>Ducat</strong><ul>
<li><a href="#quick-start">Quick start</a></li><li><a href="#rules">Calling and signing</a></li>
<li><a href="#operations">Operations</a><ul>${links}</ul></li>
<li><a href="#webhooks">Webhooks</a></li><li><a href="#codes">Codes</a></li></ul></nav>`;
}

function quickStart(publicUrl: string): Html {
  const script = `BASE='${publicUrl}'
APPID='app_...'                 # the AppId of your app
KEY='...'                       # its AppKey; keep it on your server

BODY='{"out_trade_no":"order-1001","currency_id":1001,"token_amount":"12.5"}'
TS=$(date +%s)
SIGN=$(printf '%s' "$BODY$TS$KEY" | openssl dgst -sha256 -hmac "$KEY" | sed 's/^.*= *//')

curl -sS -D headers.txt -o answer.json "$BASE/api/order/create" \\
  -H 'content-type: application/json' \\
  -H "X-Appid: $APPID" -H "X-Timestamp: $TS" -H "X-Sign: $SIGN" \\
  --data-binary "$BODY"
cat answer.json`;
  const verify = `RTS=$(grep -i '^x-timestamp:' headers.txt | tr -d '\\r' | cut -d ' ' -f 2)
RSIGN=$(grep -i '^x-sign:' headers.txt | tr -d '\\r' | cut -d ' ' -f 2)
MINE=$({ cat answer.json; printf '%s' "$RTS$KEY"; } | openssl dgst -sha256 -hmac "$KEY" | sed 's/^.*= *//')
[ "$MINE" = "$RSIGN" ] && echo 'the answer is genuine'`;
  return html`<h2 id="quick-start">Quick start</h2>
<p>All it takes is curl and openssl. Pick a <code>currency_id</code> with <a href="#token-list">token-list</a>.</p>
<pre><code>${script}</code></pre>
<p>The answer is signed too. Check it before you believe it:</p>
<pre><code>${verify}</code></pre>
<p>Show the customer <code>pay_address</code> and <code>amount</code>. When the payment is final, your webhook address receives a <a href="#webhooks">PAYMENT</a> event with status <code>PAID</code>; <a href="#order-detail">order/detail</a> tells the same.</p>`;
}

function vectors(): Html {
  const rows = signatureVectors.map(
    (vector) =>
      html`<tr><td>${vector.name}</td><td><code>${vector.appKey}</code></td><td><code>${vector.timestamp}</code></td><td><code>${JSON.stringify(vector.body)}</code></td><td><code>${vector.signature}</code></td></tr>`,
  );
  return html`<h3>Test vectors</h3><p>Bodies are shown as JSON strings.</p>
<table><thead><tr><th scope="col">Case</th><th scope="col">AppKey</th><th scope="col">Timestamp</th><th scope="col">Body</th><th scope="col">X-Sign</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function operationSection(endpoint: Endpoint): Html {
  return html`<section><h3 id="${endpoint.name}">${endpoint.summary}</h3>
<p class="path"><span class="method">POST</span><code>${endpoint.path}</code></p>
<p>${endpoint.description}</p>
<h4>Request</h4>${fieldsTable(viewOf(endpoint.request), true)}
<pre><code>${JSON.stringify(endpoint.exampleRequest, null, 2)}</code></pre>
<h4>Answer: ${Array.isArray(endpoint.exampleData) ? 'data is a list of' : 'data'}</h4>${fieldsTable(viewOf(endpoint.data), false)}
<pre><code>${JSON.stringify(successEnvelope(endpoint.exampleData), null, 2)}</code></pre>
<p>Codes: ${['0', ...endpoint.refusals].join(', ')}. Old path: <code>${endpoint.legacyPath}</code></p></section>`;
}

function eventSection(event: (typeof events)[keyof typeof events]): Html {
  return html`<section><h3 id="event-${event.type}">${event.type}</h3><p>${event.description}</p>${prose(webhookDescription())}
<h4>Body</h4>${fieldsTable(viewOf(event.body), false)}
<pre><code>${JSON.stringify(event.example, null, 2)}</code></pre></section>`;
}

function codesTable(): Html {
  const rows = codes.map(
    ({ code, name, meaning }) =>
      html`<tr><td><code>${code}</code></td><td>${name}</td><td>${meaning}</td></tr>`,
  );
  return html`<table><thead><tr><th scope="col">Code</th><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}
