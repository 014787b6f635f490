// The first and last pages of the reference: how to call, all codes, and the test vectors.
import { codes } from '@ducat/contract/codes';
import type { Endpoint } from '@ducat/contract/endpoint';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { httpStatuses } from '@ducat/contract/http-statuses';
import { openApiDescription } from '@ducat/contract/openapi-text';
import { signatureVectors } from '@ducat/contract/signature-vectors';
import { type Html, html } from '../html/html.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import type { Page } from '../page/page.ts';
import { words } from './words.ts';

const operations: readonly Endpoint[] = Object.values(endpoints);

/** How to call, from the description of the OpenAPI document, and all operations. */
export function overviewPage(): Page {
  const place = { source: 'api', path: 'api', pathOf: new Map<string, string>() };
  const { html: rules, headings } = renderMarkdown(openApiDescription(), place);
  const rows = operations.map(
    ({ name, path, summary }) =>
      html`<tr><td><a href="api/${name}"><code>${path.replace('/api/', '')}</code></a></td><td>${summary}</td></tr>`,
  );
  const body = html`<h1>API reference</h1>
<p class="lead">${operations.length} operations, each a signed POST with one JSON object. This reference and the <a href="../openapi.json">OpenAPI 3.1 document</a> come from the same source; either is enough to write a client.</p>
<h2 id="operations"><a class="anchor" href="#operations">Operations</a></h2>${tableOf(['Operation', 'What it does'], rows)}
<h2 id="calling"><a class="anchor" href="#calling">Calling</a></h2>${rules}`;
  return {
    path: 'api',
    title: 'API reference',
    shortTitle: 'How to call',
    description: 'Every operation of the Ducat API: how to call, sign and verify.',
    body,
    headings: [
      { level: 1, id: '', text: 'API reference' },
      { level: 2, id: 'operations', text: 'Operations' },
      { level: 2, id: 'calling', text: 'Calling' },
      ...headings,
    ],
    elsewhere: [],
    isWide: false,
  };
}

/** Every code, with the operations that may answer it. */
export function codesPage(): Page {
  const rows = codes.map(({ code, name, meaning }) => {
    const by = operations.filter(({ refusals }) => refusals.some((refusal) => refusal === code));
    const all = code === 0 || by.length === operations.length;
    const links = by.map(
      ({ name: operation, path }, i) =>
        html`${i === 0 ? '' : ', '}<a href="${operation}">${path.replace('/api/', '')}</a>`,
    );
    return html`<tr id="code-${code}"><td>${code === 0 ? html`0` : html`<a href="../integrate/errors#code-${code}">${code}</a>`}</td><td><code>${name}</code></td><td>${words(meaning)}</td><td>${all ? 'every operation' : links}</td></tr>`;
  });
  const statuses = httpStatuses.map(
    ({ status, meaning }) => html`<tr><td>${status}</td><td>${words(meaning)}</td></tr>`,
  );
  const body = html`<h1>Codes</h1>
<p class="lead">Every <code>code</code> that an answer can carry. What to do about each stands in <a href="../integrate/errors">Errors</a>.</p>
${tableOf(['Code', 'Name', 'Meaning', 'Answered by'], rows)}
<h2 id="transport"><a class="anchor" href="#transport">Other HTTP statuses</a></h2>
<p>A business outcome has HTTP status 200, a refusal too. Any other status is about transport.</p>${tableOf(['Status', 'Meaning'], statuses)}`;
  return {
    path: 'api/codes',
    title: 'Codes',
    shortTitle: 'Codes',
    description: 'Every business code of the Ducat API and which operations answer it.',
    body,
    headings: [
      { level: 1, id: '', text: 'Codes' },
      { level: 2, id: 'transport', text: 'Other HTTP statuses' },
      ...codes.map(({ code, name }) => ({ level: 3, id: `code-${code}`, text: `${code} ${name}` })),
    ],
    elsewhere: [],
    isWide: false,
  };
}

/** The test vectors. Where scripts run, the page also computes them. */
export function vectorsPage(): Page {
  const cards = signatureVectors.map(
    ({ name, appKey, timestamp, body, signature }, i) =>
      html`<section class="vector" data-vector data-app-key="${appKey}" data-timestamp="${timestamp}" data-body="${body}" data-signature="${signature}">
<h2 id="vector-${i + 1}"><a class="anchor" href="#vector-${i + 1}">${name}</a></h2>
<dl><dt>AppKey</dt><dd><code>${appKey}</code></dd><dt>Timestamp</dt><dd><code>${timestamp}</code></dd><dt>Body, as a JSON string</dt><dd><code>${JSON.stringify(body)}</code></dd><dt>X-Sign</dt><dd><code>${signature}</code></dd></dl>
<p class="verdict by-script" role="status"></p></section>`,
  );
  const body = html`<h1>Test vectors</h1>
<p class="lead">A client that passes all ${signatureVectors.length} signs and verifies as the gateway does. The rule: <a href="../integrate/signature">Signature</a>.</p>
<p>The same list for programs: <a href="../integrate/signature-vectors.json">signature-vectors.json</a>. <span class="by-script">Your browser computes each of them below.</span></p>${cards}`;
  return {
    path: 'api/test-vectors',
    title: 'Test vectors',
    shortTitle: 'Test vectors',
    description: 'Published test vectors of the signature of requests, answers and webhooks.',
    body,
    headings: [
      { level: 1, id: '', text: 'Test vectors' },
      ...signatureVectors.map(({ name }, i) => ({ level: 2, id: `vector-${i + 1}`, text: name })),
    ],
    elsewhere: [],
    isWide: false,
  };
}

function tableOf(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="table stacked" tabindex="0"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
