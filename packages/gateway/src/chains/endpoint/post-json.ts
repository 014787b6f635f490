// One POST to a node: bounded in size and time, observed, and never told with the address, which may carry a key.
import type { World } from '../../runtime/world.ts';
import { Outage } from '../../runtime/outage.ts';
import { readBounded } from './bounded-body.ts';
import type { RpcObserver } from './rpc-observer.ts';
import { TooMuch } from './too-much.ts';
import type { SplitUrl } from './url-secrets.ts';

export interface PostJson {
  /** What the endpoint is called in messages. */
  readonly name: string;
  readonly target: Pick<SplitUrl, 'mask'>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Told to the observer. */
  readonly method: string;
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RpcObserver | null;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The header Retry-After, null where there is none. */
  readonly retryAfter: string | null;
}

/**
 * What `read` makes of the answer. Throws TooMuch where that is too large or does not come in time, Outage where
 * the node cannot be reached, and what `read` throws.
 */
export async function postJson<T>(post: PostJson, read: (answer: HttpAnswer) => T): Promise<T> {
  const { name: endpoint, method, observer, world, target } = post;
  const started = world.nowMs();
  let ok = false;
  try {
    const value = read(await exchange(post));
    ok = true;
    return value;
  } catch (error) {
    if (error instanceof Outage) throw error;
    throw new Outage(`cannot be reached (${target.mask(reasonOf(error))})`, { retryable: true });
  } finally {
    observer?.onRequest({ endpoint, method, ms: world.nowMs() - started, ok });
  }
}

async function exchange(post: PostJson): Promise<HttpAnswer> {
  const stop = new AbortController();
  const done = new AbortController();
  let late = false;
  void post.world.sleep(post.timeoutMs, done.signal).then(() => {
    if (done.signal.aborted) return;
    late = true;
    stop.abort();
  });
  try {
    const response = await post.fetch(post.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...post.headers },
      body: post.body,
      signal: stop.signal,
      redirect: 'error',
    });
    const retryAfter = response.headers.get('retry-after');
    const text = await readBounded(response, post.maxBodyBytes, stop).catch((error: unknown) => {
      // The page of a gateway is no answer to what was asked, so its size says nothing: the status does.
      if (error instanceof TooMuch && !response.ok) return '';
      throw error;
    });
    return { status: response.status, text, retryAfter };
  } catch (error) {
    if (late) throw new TooMuch(`did not answer within ${post.timeoutMs} ms`, 'time');
    throw error;
  } finally {
    // With a reason of its own no error is made, whose stack costs more than the rest of it.
    done.abort('done');
  }
}

/** The code of a network error, which unlike its message never quotes the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string')
    return cause.code;
  return error.name;
}
