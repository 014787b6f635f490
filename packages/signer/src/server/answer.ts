// Answers one request line: authenticates the client, checks its method, handles the request, and logs one entry.
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import { accountPublicKey } from '../schemes/account-key.ts';
import { bugEntry, type Log } from '../log.ts';
import type { Permissions } from '../permissions.ts';
import {
  type AccountPublicKeyResult,
  type ErrorCode,
  type Method,
  methods,
  parseAccountPublicKeyParams,
  parseRequest,
  parseSignParams,
  type ProtocolError,
  type Request,
  type Response,
  type SignResult,
} from '../protocol.ts';
import { schemes } from '../schemes/schemes.ts';
import type { IntentSigner } from '../signing/intent-signer.ts';

export interface AnswerContext {
  readonly seed: Uint8Array;
  readonly keyId: string;
  readonly permissions: Permissions;
  /** Null where the signer was given no policy and no log: it serves public keys alone. */
  readonly signing: IntentSigner | null;
  readonly log: Log;
  /** A clock for durations, in milliseconds. */
  readonly nowMs: () => number;
}

/** The answer line, and whether the connection ends with it (broken lines and strangers get no second try on it). */
export interface Answer {
  readonly text: string;
  readonly hangUp: boolean;
}

type Outcome = { readonly result: AccountPublicKeyResult | SignResult } | { readonly error: ProtocolError };
type Handler = (context: AnswerContext, params: unknown, client: string) => Outcome;

const handlers: Readonly<Record<Method, Handler>> = {
  'account-public-key': (context, params) => {
    const checked = parseAccountPublicKeyParams(params);
    if (checked === undefined)
      return refuse('bad-request', 'params must be {family: evm or tron, account: 0 to 2147483647}');
    const { family, account } = checked;
    const { xpub, path } = accountPublicKey(context.seed, schemes[family], account);
    return { result: { xpub, family, account, path, keyId: context.keyId } };
  },
  'sign-payout': signs((kind) => kind === 'payout'),
  'sign-collection': signs((kind) => kind !== 'payout'),
};

/** The handler of a method that signs for these kinds of subject. */
function signs(isFor: (kind: SubjectKind) => boolean): Handler {
  return ({ signing, keyId }, params, client) => {
    const checked = parseSignParams(params);
    if (checked === undefined)
      return refuse('bad-request', 'params must be {intent, logSequence: a whole number}');
    if (signing === null)
      return { result: { outcome: 'refused', reason: 'signing-off', logSequence: 0, keyId } };
    const { intent, logSequence: clientSequence } = checked;
    const answer = signing.sign({
      client,
      intent,
      clientSequence,
      isFor: ({ subject }) => isFor(subject.kind),
    });
    return { result: { ...answer, keyId } };
  };
}

/** Never throws: a bug becomes the answer 'internal' and a log entry. */
export function answerLine(context: AnswerContext, line: Uint8Array): Answer {
  const startMs = context.nowMs();
  const request = parseRequest(line);
  const response: Response =
    request === undefined
      ? { id: null, ...refuse('bad-request', 'not a request') }
      : { id: request.id, ...decide(context, request) };
  const code = 'error' in response ? response.error.code : outcomeOf(response.result);
  context.log({
    event: 'request',
    client: request !== undefined && context.permissions.isKnown(request.client) ? request.client : 'unknown',
    method: methods.find((method) => method === request?.method) ?? 'unknown',
    outcome: code,
    durationMs: Math.round((context.nowMs() - startMs) * 1000) / 1000,
  });
  return { text: encode(response), hangUp: request === undefined || code === 'unauthorized' };
}

/** The answer to a line that outgrew the limit; it ends the connection, since where the next line starts is unknown. */
export function answerTooLong(context: AnswerContext): Answer {
  context.log({
    event: 'request',
    client: 'unknown',
    method: 'unknown',
    outcome: 'bad-request',
    durationMs: 0,
  });
  return { text: encode({ id: null, ...refuse('bad-request', 'line too long') }), hangUp: true };
}

function decide(context: AnswerContext, request: Request): Outcome {
  try {
    const client = context.permissions.authenticate(request.client, request.token);
    if (client === undefined) return refuse('unauthorized', 'client and token do not belong together');
    const method = methods.find((known) => known === request.method);
    if (method === undefined) return refuse('unknown-method', 'the signer has no such method');
    if (!client.methods.has(method)) return refuse('forbidden', 'this client may not use this method');
    return handlers[method](context, request.params, client.name);
  } catch (error) {
    context.log(bugEntry(error));
    return refuse('internal', 'the signer failed; its log says where');
  }
}

/** The outcome for the log: the reason of a refusal to sign, otherwise 'ok'. */
function outcomeOf(result: AccountPublicKeyResult | SignResult): string {
  return 'outcome' in result && result.outcome === 'refused' ? result.reason : 'ok';
}

function refuse(code: ErrorCode, message: string): { readonly error: ProtocolError } {
  return { error: { code, message } };
}

function encode(response: Response): string {
  return `${JSON.stringify(response)}\n`;
}
