// The same request three times: for a shell, for Node.js and as raw HTTP. The tabs work without a script.
import type { Endpoint } from '@ducat/contract/endpoint';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import { codeBlock } from '../html/highlight.ts';
import { type Html, html } from '../html/html.ts';
import { curlThatSigns } from '../samples/curl.ts';
import { nodeSample } from '../samples/node.ts';
import { rawHttp } from '../samples/raw-http.ts';
import { sign } from '../samples/sign.ts';

/** The gateway replaces this address by its own when it serves the page. */
export const EXAMPLE_URL = 'https://api.example';
const APP_ID = 'app_7Q2M4K8D1C';
const example = {
  appKey: signatureVectors[0]?.appKey ?? '',
  timestamp: signatureVectors[0]?.timestamp ?? '',
};

/** The body of the example, as compact JSON. */
export function exampleBody({ exampleRequest }: Endpoint): string {
  return JSON.stringify(exampleRequest);
}

export function exampleIdempotencyKey({ takesIdempotencyKey }: Endpoint): string {
  return takesIdempotencyKey === true ? 'example-1001' : '';
}

export async function samplesBlock(name: EndpointName, endpoint: Endpoint): Promise<Html> {
  const body = exampleBody(endpoint);
  const request = {
    name,
    path: endpoint.path,
    baseUrl: EXAMPLE_URL,
    body,
    idempotencyKey: exampleIdempotencyKey(endpoint),
  };
  const signature = await sign(body, example.timestamp, example.appKey);
  const tabs = [
    { id: 'curl', title: 'curl', code: curlThatSigns(request), language: 'bash' },
    { id: 'node', title: 'Node.js', code: nodeSample(request), language: 'javascript' },
    {
      id: 'http',
      title: 'HTTP',
      code: rawHttp({ ...request, appId: APP_ID, timestamp: example.timestamp, signature }),
      language: 'http',
    },
  ];
  const choices = tabs.map(
    ({ id, title }, i) =>
      html`<input type="radio" name="sample" id="sample-${id}" value="${id}"${i === 0 ? html` checked` : html``}><label for="sample-${id}">${title}</label>`,
  );
  const shown = tabs.map(
    ({ id, title, code, language }) =>
      html`<div class="sample" data-sample="${id}"><p class="sample-title">${title}</p>${codeBlock(code, language)}</div>`,
  );
  return html`<div class="samples"><fieldset class="tabs"><legend>Example request</legend>${choices}</fieldset>${shown}
<p class="sample-note" role="status">In the HTTP form the AppKey is that of the <a href="test-vectors">test vectors</a>: <code>${example.appKey}</code>.</p></div>`;
}
