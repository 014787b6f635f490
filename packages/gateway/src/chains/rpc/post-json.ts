// One POST to a provider: bounded in size and time, observed, and never reported with its address, which may hold a key.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import { AnswerTooLarge, tooLargeByStatus } from './answer-too-large.ts';
import { readBounded } from './bounded-body.ts';
import { codeOf, type HttpPost } from './http-post.ts';
import type { RpcObserver } from './rpc-observer.ts';
import type { SplitUrl } from './url-secrets.ts';

/** How one provider is reached. */
export interface ProviderAccess {
  readonly name: string;
  readonly target: SplitUrl;
  readonly world: World;
  readonly http: HttpPost;
  readonly observer: RpcObserver | null;
  /** HTTP statuses that ask for a lower rate. */
  readonly throttlingStatus: ReadonlySet<number>;
}

export interface PostRequest {
  readonly url: string;
  readonly body: string;
  /** Reported to the observer. */
  readonly method: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Returns what `read` makes of the body of a successful answer. Throws AnswerTooLarge where the answer is too large or late,
 * Outage 'throttled' where the status asks for a lower rate, Outage 'unavailable' where the provider cannot be reached, and
 * the errors of `read`.
 */
export async function postJson<T>(
  access: ProviderAccess,
  request: PostRequest,
  read: (body: Buffer) => T,
): Promise<T> {
  const { name: provider, observer, world, target } = access;
  const started = world.nowMs();
  let ok = false;
  try {
    const value = read(await exchange(access, request));
    ok = true;
    return value;
  } catch (error) {
    if (error instanceof Outage) throw error;
    throw new Outage(`cannot be reached (${target.mask(reasonOf(error))})`);
  } finally {
    observer?.onRequest({ provider, method: request.method, ms: world.nowMs() - started, ok });
  }
}

async function exchange(access: ProviderAccess, request: PostRequest): Promise<Buffer> {
  const { world, http, target, throttlingStatus } = access;
  const stop = new AbortController();
  const done = new AbortController();
  let late = false;
  void world.sleep(request.timeoutMs, done.signal).then(() => {
    if (done.signal.aborted) return;
    late = true;
    stop.abort();
  });
  try {
    const headers = { 'content-type': 'application/json', ...target.headers };
    const { status, body } = await http({
      url: request.url,
      headers,
      body: request.body,
      signal: stop.signal,
    });
    if (status >= 200 && status <= 299) return await readBounded(body, request.maxBytes);
    // A gateway's error page is no answer to the request, so its status counts and its size does not.
    stop.abort();
    if (throttlingStatus.has(status))
      throw new Outage(`asks for a lower rate (HTTP ${status})`, { kind: 'throttled' });
    throw tooLargeByStatus(status) ?? new Outage(`answered HTTP ${status}`);
  } catch (error) {
    if (late) throw new AnswerTooLarge(`did not answer within ${request.timeoutMs} ms`, { isLate: true });
    throw error;
  } finally {
    // With a reason given, no error is created: its stack would cost more than everything else here.
    done.abort('done');
  }
}

/** The code of a network error, which unlike its message never quotes the URL. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return codeOf(error) ?? codeOf(error.cause) ?? error.name;
}
