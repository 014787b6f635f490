// One HTTP request to a source of prices: bounded in time and size, and its answer is valid UTF-8.
import { Outage } from '../runtime/outage.ts';
import type { World } from '../runtime/world.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** Unix seconds of the Date header, null without one. */
  readonly date: number | null;
}

/** Requests a path below the base URL. Throws Outage where no complete answer came. */
export type Get = (path: string) => Promise<HttpAnswer>;

/** The same, and ends early when the signal is aborted. */
export type StoppableGet = (path: string, signal?: AbortSignal) => Promise<HttpAnswer>;

export interface GetOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** The least time from the start of one request to the start of the next. */
  readonly gapMs: number;
}

/** Limits of every source: ten seconds, and room for a list of everything that an exchange trades. */
export const defaultGetLimits = { timeoutMs: 10_000, maxBodyBytes: 8 * 1024 * 1024 } as const;

/** Throws Outage, not retryable, where the base is no http(s) URL. Messages name neither the URL nor its keys. */
export function createGet(options: GetOptions): StoppableGet {
  const base = options.url.replace(/\/+$/, '');
  if (!URL.canParse(base) || !/^https?:\/\//.test(base)) {
    throw new Outage('the address of a rate source is not an http or https URL', { retryable: false });
  }
  let nextMs = 0;
  return async (path, signal) => {
    const waitMs = nextMs - options.world.nowMs();
    if (waitMs > 0) await options.world.sleep(Math.min(waitMs, options.gapMs), signal);
    nextMs = options.world.nowMs() + options.gapMs;
    const stop = new AbortController();
    const done = new AbortController();
    let late = false;
    void options.world.sleep(options.timeoutMs, done.signal).then(() => {
      if (done.signal.aborted) return;
      late = true;
      stop.abort();
    });
    try {
      return await ask(options, base + path, stop, signal);
    } catch (error) {
      if (late) throw new Outage(`did not answer within ${options.timeoutMs} ms`, { retryable: true });
      if (error instanceof Outage) throw error;
      throw new Outage(`cannot be reached (${reasonOf(error)})`, { retryable: true });
    } finally {
      done.abort();
    }
  };
}

/** The text of a good answer. Throws Outage for any other status. */
export function textOf({ status, text }: HttpAnswer): string {
  if (status !== 200) throw new Outage(`answered HTTP ${status}`, { retryable: true });
  return text;
}

async function ask(
  options: GetOptions,
  url: string,
  stop: AbortController,
  signal: AbortSignal | undefined,
): Promise<HttpAnswer> {
  const response = await options.fetch(url, {
    headers: {
      accept: 'application/json, application/xml',
      'user-agent': 'ducat-gateway',
      ...options.headers,
    },
    signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
    redirect: 'error',
  });
  const bytes = await readBounded(response, options.maxBodyBytes, stop);
  const date = Date.parse(response.headers.get('date') ?? '');
  return {
    status: response.status,
    text: decode(bytes),
    date: Number.isNaN(date) ? null : Math.floor(date / 1000),
  };
}

async function readBounded(response: Response, maxBytes: number, stop: AbortController): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      stop.abort();
      throw new Outage(`answered with more than ${maxBytes} bytes`, { retryable: true });
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Outage('answered with something that is not UTF-8', { retryable: true });
  }
}

/** The code of a network error, which unlike its message never quotes the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string') {
    return cause.code;
  }
  return error.name;
}
