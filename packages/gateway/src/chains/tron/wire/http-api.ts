// java-tron's HTTP API at one base address: it returns only complete answers.
import { Outage } from '../../../runtime/outage.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { bytesPerJsonPart, maxAnswerBytes, requestTimeoutMs } from '../../rpc/limits.ts';
import { JsonTape } from '../../rpc/json-tape.ts';
import { postJson, type ProviderAccess } from '../../rpc/post-json.ts';
import type { RateLimit } from '../../rpc/rate-limit.ts';
import { Json } from './json.ts';

export interface HttpApiOptions {
  readonly access: ProviderAccess;
  /** `wallet` for all that the node knows, `walletsolidity` for what cannot change any more. */
  readonly view: 'wallet' | 'walletsolidity';
  /** Shared by both views of a provider. */
  readonly rateLimit: RateLimit;
}

/**
 * Makes a call and returns its answer. Throws Outage 'throttled', AnswerTooLarge, Outage 'invalid' where the node answers
 * with an error of its own or without JSON, else Outage 'unavailable'.
 */
export type HttpApi = (call: string, parameters: Readonly<Record<string, unknown>>) => Promise<Json>;

/** TronGrid answers 403 while an address is banned, and 429 or 503 above its limits. */
export const throttlingStatus: ReadonlySet<number> = new Set([403, 429, 503]);
// The whole text has to match, because texts of other errors can hold words that a payer wrote.
const busy = /^(?:class )?[\w.$]* ?:? ?lack of computing resources\W*$/;
const lite = 'this API is closed because this node is a lite fullnode';
const longestLiteAnswer = 100;

export function createHttpApi({ access, view, rateLimit }: HttpApiOptions): HttpApi {
  const base = access.target.url.replace(/\/+$/, '');
  return async (call, parameters) => {
    await rateLimit();
    const method = `${view}/${call}`;
    const request = {
      url: `${base}/${method}`,
      body: JSON.stringify(parameters),
      method,
      timeoutMs: requestTimeoutMs,
      maxBytes: maxAnswerBytes,
    };
    return postJson(access, request, (body) => answerIn(body, access));
  };
}

function answerIn(body: Buffer, { target }: ProviderAccess): Json {
  // A lite node answers with bare text and status 200.
  if (body.length < longestLiteAnswer && body.includes(lite))
    throw invalidAnswer('is a lite node, which does not show old blocks');
  const answer = new Json(new JsonTape(body, maxAnswerBytes / bytesPerJsonPart));
  const error = answer.get('Error');
  if (error.isAbsent) return answer;
  // Almost every error comes with status 200. Its class names differ between versions, so only its text is compared.
  const text = target.mask(error.text ?? 'no text');
  if (busy.test(text))
    throw new Outage('asks for a lower rate (no computing resources)', { kind: 'throttled' });
  throw invalidAnswer(`answered error: ${text}`);
}
