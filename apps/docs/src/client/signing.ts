// The panel that signs an operation's example. The AppKey is only in its field, which is cleared when the page is left.
import type { EndpointName } from '@ducat/contract/endpoints/registry';
import { timestampText } from '@ducat/contract/signature';
import { curlSigned } from '../samples/curl.ts';
import { nodeSample } from '../samples/node.ts';
import { rawHttp } from '../samples/raw-http.ts';
import type { SignedRequest } from '../samples/request.ts';
import { sign } from '../samples/sign.ts';
import { askDemoApp } from './demo-app.ts';
import { one } from './one.ts';
import { apiUrl, faucetUrl } from './place.ts';
import { sendSigned } from './send-signed.ts';
import { withKeptTradeNo } from './trade-no.ts';

export interface Signing {
  /** Signs again with the current time, where something was signed before. */
  renew(): Promise<void>;
}

/** Starts the panel; null on pages that have none. */
export function startSigning(): Signing | null {
  const panel = document.querySelector<HTMLElement>('.sign');
  if (panel === null) return null;
  panel.hidden = false;
  const fields = fieldsOf(panel);
  let isSigned = false;
  const signNow = async (): Promise<SignedRequest | null> => {
    const trouble = troubleOf(fields);
    fields.trouble.hidden = trouble === '';
    fields.trouble.textContent = trouble;
    if (trouble !== '') return null;
    const request = await signedRequest(panel, fields);
    isSigned = true;
    showSigned(fields, request);
    showSamples(request);
    return request;
  };
  fields.sign.addEventListener('click', () => void signNow());
  fields.send.addEventListener(
    'click',
    () => void signNow().then((request) => request && sendSigned(panel, request, fields.appKey.value)),
  );
  fields.showKey.addEventListener('change', () => showKey(fields));
  panel.addEventListener('input', ({ target }) => {
    if (isSigned && target !== fields.showKey) void signNow();
  });
  // The browser may restore a page that was left, with its fields, so the AppKey is cleared first.
  addEventListener('pagehide', () => forget(fields));
  void lendDemoApp(panel, fields, signNow);
  return { renew: async () => void (isSigned && (await signNow())) };
}

function fieldsOf(panel: HTMLElement) {
  return {
    appId: one(panel, '[name="app-id"]', HTMLInputElement),
    appKey: one(panel, '[name="app-key"]', HTMLInputElement),
    body: one(panel, '[name="body"]', HTMLTextAreaElement),
    idempotencyKey: panel.querySelector<HTMLInputElement>('[name="idempotency-key"]'),
    sign: one(panel, '[name="sign"]', HTMLButtonElement),
    send: one(panel, '[name="send"]', HTMLButtonElement),
    showKey: one(panel, '[name="show-key"]', HTMLInputElement),
    trouble: one(panel, '.sign-trouble', HTMLElement),
    lead: one(panel, '.sign-lead', HTMLElement),
    result: one(panel, '.sign-result', HTMLElement),
    value: one(panel, '.sign-value code', HTMLElement),
    parts: {
      body: one(panel, '.signed .part-body', HTMLElement),
      time: one(panel, '.signed .part-time', HTMLElement),
      key: one(panel, '.signed .part-key', HTMLElement),
    },
  };
}

type Fields = ReturnType<typeof fieldsOf>;

function troubleOf({ appId, appKey }: Fields): string {
  if (crypto.subtle === undefined) return 'Browsers compute signatures on https and on this machine alone.';
  if (appId.value.trim() === '' || appKey.value.trim() === '')
    return 'Enter the AppId and the AppKey of an app.';
  return '';
}

async function signedRequest(panel: HTMLElement, fields: Fields): Promise<SignedRequest> {
  const { name, path = '' } = panel.dataset;
  const body = bodyOf(fields.body);
  const timestamp = timestampText(Date.now() / 1000);
  return {
    // The build writes the operation's name into the panel.
    name: name as EndpointName,
    path,
    baseUrl: apiUrl,
    body,
    idempotencyKey: fields.idempotencyKey?.value ?? '',
    appId: fields.appId.value.trim(),
    timestamp,
    signature: await sign(body, timestamp, fields.appKey.value.trim()),
  };
}

/** The body to sign: the example in compact JSON while it is unchanged, otherwise exactly the text that was typed. */
function bodyOf(field: HTMLTextAreaElement): string {
  return field.value === field.defaultValue ? (field.dataset['compact'] ?? '') : field.value;
}

function showSigned(fields: Fields, { body, timestamp, signature }: SignedRequest): void {
  fields.parts.body.textContent = body;
  fields.parts.time.textContent = timestamp;
  showKey(fields);
  fields.value.textContent = signature;
  fields.result.hidden = false;
}

function showKey({ appKey, showKey: choice, parts }: Fields): void {
  const key = appKey.value.trim();
  parts.key.textContent = choice.checked ? key : '•'.repeat(key.length);
}

function showSamples(request: SignedRequest): void {
  const samples = {
    curl: curlSigned(request),
    node: nodeSample(request),
    http: rawHttp(request),
  };
  for (const [name, text] of Object.entries(samples)) {
    const place = document.querySelector(`[data-sample="${name}"] code`);
    if (place !== null) place.textContent = text;
  }
  const note = document.querySelector('.sample-note');
  const at = new Date(Number(request.timestamp) * 1000).toLocaleTimeString();
  if (note !== null)
    note.textContent = `Signed for ${request.appId} at ${at}. It is good for two minutes; copying signs it anew.`;
}

function forget({ appKey, parts, showKey: choice }: Fields): void {
  appKey.value = '';
  choice.checked = false;
  parts.key.textContent = '';
}

/** On a demo, fills in an app of the kind that the operation needs, and signs at once. */
async function lendDemoApp(
  panel: HTMLElement,
  fields: Fields,
  signNow: () => Promise<unknown>,
): Promise<void> {
  fields.send.hidden = faucetUrl === '';
  const app = await askDemoApp(panel.dataset['appKind'] === 'QR_CODE' ? 'QR_CODE' : 'PAYMENT');
  if (app === null || fields.appKey.value !== '') return;
  fields.lead.textContent += ' The app of this demo is filled in; enter another one to sign as that.';
  fields.appId.value = app.appId;
  fields.appKey.value = app.appKey;
  fields.body.value = withKeptTradeNo(fields.body.value);
  await signNow();
}
