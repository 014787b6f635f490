// The page of one operation: what it does, its fields, an example to copy and to sign, its answer and its refusals.
import { codes } from '@ducat/contract/codes';
import type { Endpoint } from '@ducat/contract/endpoint';
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import { successEnvelope } from '@ducat/contract/envelope';
import { codeBlock } from '../html/highlight.ts';
import { type Html, html } from '../html/html.ts';
import type { Page } from '../page/page.ts';
import { fieldList, viewOf } from './fields.ts';
import { samplesBlock } from './samples-block.ts';
import { signPanel } from './sign-panel.ts';
import { words } from './words.ts';

const KINDS = {
  PAYMENT: html`Called by an app of kind <code>PAYMENT</code>.`,
  QR_CODE: html`Called by an app of kind <code>QR_CODE</code>.`,
  ANY: html`Called by any app.`,
};

export async function operationPage(name: EndpointName, endpoint: Endpoint): Promise<Page> {
  const { summary, path, description, appKind, exampleData } = endpoint;
  const isList = Array.isArray(exampleData);
  const body = html`<div class="operation"><div class="operation-head"><h1>${summary}</h1>
<p class="path"><span class="method">POST</span> <code>${path}</code></p>
${sentences(description)}
<p class="facts">${KINDS[appKind]} ${naming(endpoint)}</p></div>
<div class="operation-side">${await samplesBlock(name, endpoint)}
${signPanel(name, endpoint)}
<h2 class="side-title" id="example-answer">Example answer</h2>${codeBlock(JSON.stringify(successEnvelope(exampleData), null, 2), 'json')}</div>
<div class="operation-fields"><h2 id="request"><a class="anchor" href="#request">Request</a></h2>${fieldList(viewOf(endpoint.request), 'request')}
<h2 id="answer"><a class="anchor" href="#answer">Answer</a></h2>
<p>The envelope <code>{ "code", "msg", "data" }</code>, signed by the gateway. With code 0, <code>data</code> is ${isList ? 'a list of objects with these fields' : 'an object with these fields'}.</p>
${fieldList(viewOf(endpoint.data), 'answer')}
<h2 id="refusals"><a class="anchor" href="#refusals">Refusals</a></h2>${refusals(endpoint)}
<p class="old-path">The same operation on its old path: <code>${endpoint.legacyPath}</code>, with <code>currency_id</code> as text.</p></div></div>`;
  return {
    path: `api/${name}`,
    title: summary,
    shortTitle: path.replace('/api/', ''),
    description: `POST ${path}. ${description.split('. ')[0]}.`,
    body,
    headings: [
      { level: 1, id: '', text: summary },
      { level: 2, id: 'request', text: 'Request' },
      { level: 2, id: 'answer', text: 'Answer' },
      { level: 2, id: 'refusals', text: 'Refusals' },
    ],
    elsewhere: [],
    isWide: true,
  };
}

/** The first sentence as the lead; the others as a paragraph after it. */
function sentences(description: string): Html {
  const end = description.indexOf('. ');
  if (end === -1) return html`<p class="lead">${words(description)}</p>`;
  return html`<p class="lead">${words(description.slice(0, end + 1))}</p><p>${words(description.slice(end + 2))}</p>`;
}

function naming({ takesIdempotencyKey }: Endpoint): Html {
  if (takesIdempotencyKey !== true) return html``;
  return html`The header <code>Idempotency-Key</code> names the call, so that it has its effect once.`;
}

function refusals({ refusals: possible }: Endpoint): Html {
  const rows = codes
    .filter(({ code }) => possible.some((refusal) => refusal === code))
    .map(
      ({ code, name, meaning }) =>
        html`<tr><td><a href="../integrate/errors#code-${code}">${code}</a></td><td><code>${name}</code></td><td>${words(meaning)}</td></tr>`,
    );
  return html`<div class="table stacked" tabindex="0"><table><thead><tr><th>Code</th><th>Name</th><th>When</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
