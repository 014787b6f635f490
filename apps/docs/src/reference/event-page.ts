// The page of one webhook: when it is sent, its body, and an example.
import type { WebhookEvent } from '@ducat/contract/event';
import { codeBlock } from '../html/highlight.ts';
import { html } from '../html/html.ts';
import type { Page } from '../page/page.ts';
import { fieldList, viewOf } from './fields.ts';
import { words } from './words.ts';

export function eventPage(event: WebhookEvent): Page {
  const path = `api/event-${event.type.toLowerCase().replaceAll('_', '-')}`;
  const summary = `${event.summary.slice(0, 1).toLowerCase()}${event.summary.slice(1)}`;
  const body = html`<div class="operation"><div class="operation-head"><h1>Webhook: ${summary}</h1>
<p class="path"><span class="method">EVENT</span> <code>${event.type}</code></p>
<p class="lead">${words(event.description)}</p>
<p>How to verify and answer it, and when it comes again: <a href="../integrate/webhooks">Webhooks</a>.</p></div>
<div class="operation-side"><h2 class="side-title" id="example">Example body</h2>${codeBlock(JSON.stringify(event.example, null, 2), 'json')}
<h2 class="side-title" id="example-answer">Your answer</h2>${codeBlock('HTTP/1.1 200 OK\ncontent-type: text/plain\n\nSuccess', 'http')}</div>
<div class="operation-fields"><h2 id="body"><a class="anchor" href="#body">Body</a></h2>${fieldList(viewOf(event.body), 'body')}</div></div>`;
  return {
    path,
    title: `Webhook: ${summary}`,
    shortTitle: event.type,
    description: event.description,
    body,
    headings: [
      { level: 1, id: '', text: `${event.type}: ${summary}` },
      { level: 2, id: 'body', text: 'Body' },
    ],
    elsewhere: [],
    isWide: true,
  };
}
