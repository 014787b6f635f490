// java-tron's HTTP API over one base address: nothing but a complete answer comes out of it, numbers kept whole.
import { Outage } from '../../runtime/outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { NeedsRoom } from '../endpoint/needs-room.ts';
import { parseIntegers } from '../endpoint/parse-json.ts';
import { postJson, type PostJson } from '../endpoint/post-json.ts';
import { retryAfterMs, Throttled } from '../endpoint/throttled.ts';
import { meansTooMuch, TooMuch, tooMuchOf } from '../endpoint/too-much.ts';
import type { SplitUrl } from '../endpoint/url-secrets.ts';
import type { HeldBack } from './held-back.ts';
import type { Pace } from './pace.ts';
import { parseWithoutRawData } from './wire/without-raw-data.ts';

export interface NodeApiOptions
  extends Pick<PostJson, 'name' | 'world' | 'fetch' | 'observer' | 'timeoutMs' | 'maxBodyBytes'> {
  readonly target: SplitUrl;
  /** `wallet` for all that the node knows, `walletsolidity` for what cannot change any more. */
  readonly view: 'wallet' | 'walletsolidity';
  readonly maxTokens: number;
  /** Whether what is larger can be asked for again with wider bounds. */
  readonly hasWider: boolean;
  /** Shared by both views of an endpoint. */
  readonly pace: Pace;
  /** Counts the waiting for that pace; null where nobody waits for what is asked. */
  readonly heldBack: HeldBack | null;
}

/** The call's answer, integers as bigint. Throws Throttled, TooMuch or NeedsRoom, NodeError, else Outage. */
export type NodeApi = (call: string, parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The node understood the question and answered with an error of its own. */
export class NodeError extends Outage {
  constructor(message: string) {
    super(message, { retryable: true });
  }
}

// TronGrid answers 403 while an address is shut out, and 429 or 503 above its limits.
const throttled = new Set([403, 429, 503]);
// Whole, as the texts of other errors can hold words of payers.
const busy = /^(?:class )?[\w.$]* ?:? ?lack of computing resources\W*$/;
const lite = 'lite fullnode';
/** An endpoint that gives receipts only so makes us ask hundreds of times, and that is its slowness and not our pace. */
const oneByOne = 'gettransactioninfobyid';

export function createNodeApi(options: NodeApiOptions): NodeApi {
  const { target, view, pace, heldBack } = options;
  const base = target.url.replace(/\/+$/, '');
  const headers = target.headers;
  const ask: NodeApi = async (call, parameters) => {
    // mark: one-by-one-is-no-pace-of-ours
    await (heldBack === null || call === oneByOne ? pace() : heldBack.wait(pace));
    const post = { ...options, url: `${base}/${view}/${call}`, headers, method: `${view}/${call}` };
    return postJson({ ...post, body: JSON.stringify(parameters) }, ({ status, text, retryAfter }) => {
      if (throttled.has(status)) {
        const askedMs = retryAfterMs(retryAfter, options.world.nowMs());
        throw new Throttled(`wants to be asked less often (HTTP ${status})`, askedMs);
      }
      if (meansTooMuch(status)) throw tooMuchOf(status);
      if (status < 200 || status > 299) throw new Outage(`answered HTTP ${status}`, { retryable: true });
      return withoutError(parsed(text, options), target);
    });
  };
  if (!options.hasWider) return ask;
  return (call, parameters) => ask(call, parameters).catch(askForRoom);
}

function askForRoom(error: unknown): never {
  if (error instanceof TooMuch && !error.isLate) throw new NeedsRoom(error.message);
  throw error;
}

function parsed(text: string, bounds: Pick<NodeApiOptions, 'maxTokens'>): unknown {
  try {
    return parseWithoutRawData(Buffer.from(text), (bare) => parseIntegers(bare.toString(), bounds));
  } catch (error) {
    // Answered as bare text, with status 200; what looks like JSON can hold words of payers.
    if (!/^\s*[{[]/.test(text) && text.includes(lite))
      throw new LyingNode('is a lite node, which cannot tell old blocks', undefined, 'lite-node');
    throw error;
  }
}

/** Almost every error comes with status 200. Its class names differ between versions, so only text is looked at. */
function withoutError(answer: unknown, { mask }: SplitUrl): unknown {
  if (typeof answer !== 'object' || answer === null || !('Error' in answer)) return answer;
  const text = mask(String(answer.Error));
  if (busy.test(text)) throw new Throttled('wants to be asked less often (no computing resources)');
  throw new NodeError(`answered error: ${text}`);
}
