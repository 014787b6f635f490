// Checks signature and headers of a webhook, by the description of the wire and Node's own HMAC alone.
import { createHmac } from 'node:crypto';

export interface Headers {
  readonly [name: string]: string | readonly string[] | undefined;
}

export interface Keys {
  readonly appId: string;
  readonly appKey: string;
}

/** A signature is good for two minutes. */
const WINDOW_S = 120;

/** What is wrong with a webhook as node received it; null where all is right. */
export function checkWebhook(headers: Headers, body: Buffer, keys: Keys, nowS: number): string | null {
  const header = (name: string) => String(headers[name] ?? '');
  const [appId, timestamp, eventType] = [header('x-appid'), header('x-timestamp'), header('x-eventtype')];
  if (!/^application\/json(;|$)/.test(header('content-type'))) return 'content-type is not JSON';
  if (appId !== keys.appId) return `X-Appid is ${appId} and must be ${keys.appId}`;
  if (!/^\d{10}$/.test(timestamp)) return `X-Timestamp is ${timestamp}, not ten digits`;
  if (Math.abs(nowS - Number(timestamp)) > WINDOW_S) return `X-Timestamp ${timestamp} is not of now, ${nowS}`;
  const signature = createHmac('sha256', keys.appKey)
    .update(body)
    .update(timestamp + keys.appKey);
  if (header('x-sign') !== signature.digest('hex')) return 'X-Sign is not of body, time and key';
  if (header('x-event-id') === '') return 'X-Event-Id is missing';
  const { appid, status } = fieldsOf(body);
  if (appid !== appId) return `the body is for the app ${String(appid)}`;
  return status === eventType ? null : `X-EventType is ${eventType} and the status ${String(status)}`;
}

function fieldsOf(body: Buffer): { readonly appid?: unknown; readonly status?: unknown } {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
