// java-tron's HTTP API over one base address: nothing but a complete answer comes out of it, numbers kept whole.
import { isInteger, parse as parseLossless } from 'lossless-json';
import { Outage } from '../../outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { postJson, type PostJson } from '../endpoint/post-json.ts';
import { retryAfterMs, Throttled } from '../endpoint/throttled.ts';
import { meansTooMuch, TooMuch } from '../endpoint/too-much.ts';
import type { SplitUrl } from '../endpoint/url-secrets.ts';
import type { Pace } from './pace.ts';

export interface NodeApiOptions
  extends Pick<PostJson, 'name' | 'world' | 'fetch' | 'observer' | 'timeoutMs' | 'maxBodyBytes'> {
  readonly target: SplitUrl;
  /** `wallet` for all that the node knows, `walletsolidity` for what cannot change any more. */
  readonly view: 'wallet' | 'walletsolidity';
  /** Shared by both views of an endpoint. */
  readonly pace: Pace;
}

/** The call's answer, integers as bigint. Throws Throttled, TooMuch, NodeError, else Outage. */
export type NodeApi = (call: string, parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The node understood the question and answered with an error of its own. */
export class NodeError extends Outage {
  constructor(message: string) {
    super(message, { retryable: true });
  }
}

// TronGrid answers 403 while an address is shut out, and 429 or 503 above its limits.
const throttled = new Set([403, 429, 503]);
const busy = 'lack of computing resources';
const lite = 'lite fullnode';

export function createNodeApi(options: NodeApiOptions): NodeApi {
  const { target, view, pace } = options;
  const base = target.url.replace(/\/+$/, '');
  const headers = target.headers;
  return async (call, parameters) => {
    await pace();
    const post = { ...options, url: `${base}/${view}/${call}`, headers, method: `${view}/${call}` };
    return postJson({ ...post, body: JSON.stringify(parameters) }, ({ status, text, retryAfter }) => {
      if (throttled.has(status)) {
        const askedMs = retryAfterMs(retryAfter, options.world.nowMs());
        throw new Throttled(`wants to be asked less often (HTTP ${status})`, askedMs);
      }
      if (meansTooMuch(status)) throw new TooMuch(`answered HTTP ${status}`);
      if (status < 200 || status > 299) throw new Outage(`answered HTTP ${status}`, { retryable: true });
      return withoutError(parsed(text), target);
    });
  };
}

function parsed(text: string): unknown {
  try {
    return parseLossless(text, null, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
  } catch {
    // Answered as bare text, with status 200.
    if (text.includes(lite))
      throw new LyingNode('is a lite node, which cannot tell old blocks', undefined, 'lite-node');
    throw new Outage('answered with malformed or truncated JSON', { retryable: true });
  }
}

/** Almost every error comes with status 200. Its class names differ between versions, so only text is looked at. */
function withoutError(answer: unknown, { mask }: SplitUrl): unknown {
  if (typeof answer !== 'object' || answer === null || !('Error' in answer)) return answer;
  const text = mask(String(answer.Error));
  if (text.includes(busy)) throw new Throttled('wants to be asked less often (no computing resources)');
  throw new NodeError(`answered error: ${text}`);
}
