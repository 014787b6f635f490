// Sends a webhook over the network: guarded, pinned, without redirects, within a time and a size.
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { isSuccess } from '@ducat/core/webhook/schedule';
import { AnswerBody, Intake, MAX_HEADER_BYTES } from './answer-intake.ts';
import { beneathTls, TlsFlood } from './beneath-tls.ts';
import { Deadline } from './deadline.ts';
import { type AddressRules, type GuardedAddress, guardAddress } from './guarded-address.ts';
import { FreeSockets, PinnedHttpAgent, PinnedHttpsAgent, pinTo } from './pinned-agent.ts';
import type { Post, PostAnswer, PostOutcome, PostRequest } from '../port.ts';
import { canonicalAddress } from './routable-address.ts';

/** With several addresses, how long one is tried before the next. */
const CONNECT_ATTEMPT_MS = 2_000;

/** How long after its answer the rest of a request may take. */
const LATE_WRITE_MS = 100;

/** The network side of the notifier. `close` ends all connections; after it nothing is sent. */
export interface Poster {
  readonly post: Post;
  close(): void;
}

/**
 * Makes the poster that follows these rules. The time limit of a request runs on Node's own timer, not on World:
 * it guards real sockets, which the simulator replaces together with its merchants.
 */
export function createPoster(rules: AddressRules): Poster {
  const free = new FreeSockets();
  const agents: Agents = {
    http: new PinnedHttpAgent(free),
    https: new PinnedHttpsAgent(free),
    closed: false,
  };
  return {
    post: async (request) => {
      const deadline = new Deadline(request.timeoutMs);
      try {
        return await postBefore(deadline, request, rules, agents);
      } finally {
        deadline.clear();
      }
    },
    close: () => {
      agents.closed = true;
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

interface Agents {
  readonly http: PinnedHttpAgent;
  readonly https: PinnedHttpsAgent;
  closed: boolean;
}

async function postBefore(
  deadline: Deadline,
  request: PostRequest,
  rules: AddressRules,
  agents: Agents,
): Promise<PostAnswer> {
  const guarded = await before(deadline, guardAddress(request.url, rules));
  if (typeof guarded === 'string') return { outcome: guarded, httpStatus: null };
  return agents.closed
    ? { outcome: 'connection-failed', httpStatus: null }
    : exchange(request, guarded, agents, deadline);
}

/** The value, or `timeout` when the deadline comes first. */
function before<Value>(deadline: Deadline, value: Promise<Value>): Promise<Value | 'timeout'> {
  const late = new Promise<'timeout'>((resolve) => {
    deadline.onPass(() => resolve('timeout'));
  });
  return Promise.race([value, late]);
}

/**
 * One request and its answer. It is sent once, also where a kept connection turns out to be dead: whether that was
 * closed before or with the request on it cannot be distinguished, and each sending counts as an attempt. What keeps
 * this rare is that free connections are kept for less time than receivers keep theirs.
 */
function exchange(
  request: PostRequest,
  guarded: GuardedAddress,
  agents: Agents,
  deadline: Deadline,
): Promise<PostAnswer> {
  const secure = guarded.url.protocol === 'https:';
  return new Promise((resolve) => {
    const outgoing = open(request, guarded, agents);
    let stage: Stage = 'connecting';
    let httpStatus: number | null = null;
    const end = (outcome: PostOutcome): void => {
      resolve({ outcome, httpStatus });
      if (outcome !== 'delivered') outgoing.destroy();
      else if (!outgoing.writableFinished) endUnlessWritten(outgoing);
    };
    const tooMuch = (): void => end(httpStatus === null ? 'bad-http' : 'too-large');
    const intake = new Intake(outgoing, tooMuch);
    deadline.onPass(() => end('timeout'));
    outgoing.on('socket', (socket) => {
      intake.watch(socket);
      whenConnected(socket, () => {
        stage = secure && !outgoing.reusedSocket ? 'securing' : 'open';
        // The last check of the address, on the connection itself, whatever chose it. A reset one has none.
        const { remoteAddress } = beneathTls(socket) ?? socket;
        if (remoteAddress === undefined) end('connection-failed');
        else if (!guarded.addresses.includes(canonicalAddress(remoteAddress))) end('refused-address');
      });
      // On a kept connection that moment is over, and the listener would stay on it for ever.
      if (secure && !outgoing.reusedSocket) {
        socket.once('secureConnect', () => {
          stage = 'open';
        });
      }
    });
    outgoing.on('response', (response) => {
      httpStatus = response.statusCode ?? null;
      if (httpStatus === 200)
        readAnswer(response, (outcome) => (intake.exceeded ? tooMuch() : end(outcome)), deadline);
      else end('http-status');
    });
    outgoing.on('error', (error) => {
      if (intake.exceeded) tooMuch();
      else end(deadline.passed ? 'timeout' : failureAt(stage, error));
    });
    outgoing.on('close', () => {
      intake.unwatch();
      end('connection-failed');
    });
    outgoing.end(request.body);
  });
}

/**
 * Node neither frees nor closes a connection before the whole request is written, and that never comes where its
 * receiver has answered and reads no more. It learns of the last bytes over TLS one turn late, so there is a moment.
 */
function endUnlessWritten(outgoing: ClientRequest): void {
  new Deadline(LATE_WRITE_MS).onPass(() => {
    if (!outgoing.writableFinished) outgoing.destroy();
  });
}

type Stage = 'connecting' | 'securing' | 'open';

function open(
  { headers, body }: PostRequest,
  { url, addresses }: GuardedAddress,
  agents: Agents,
): ClientRequest {
  const options = {
    ...pinTo(addresses),
    method: 'POST',
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    maxHeaderSize: MAX_HEADER_BYTES,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS,
  };
  return url.protocol === 'https:'
    ? httpsRequest(url, { ...options, agent: agents.https })
    : httpRequest(url, { ...options, agent: agents.http });
}

function whenConnected(socket: Socket, then: () => void): void {
  if (socket.connecting) socket.once('connect', then);
  else then();
}

/** Reads the whole answer, as it came: packed bodies are never unpacked, so a small one cannot grow. */
function readAnswer(
  response: IncomingMessage,
  end: (outcome: PostOutcome) => void,
  deadline: Deadline,
): void {
  const body = new AnswerBody();
  response.on('data', (piece: Buffer) => {
    if (!body.add(piece)) end('too-large');
  });
  response.on('end', () => {
    end(isSuccess(200, body.text()) ? 'delivered' : 'wrong-answer');
  });
  response.on('error', () => end(deadline.passed ? 'timeout' : 'connection-failed'));
}

function failureAt(stage: Stage, error: unknown): PostOutcome {
  switch (stage) {
    case 'connecting':
      return 'connection-failed';
    case 'securing':
      return 'tls-failed';
    case 'open':
      if (error instanceof TlsFlood) return 'tls-failed';
      return codeOf(error)?.startsWith('HPE_') === true ? 'bad-http' : 'connection-failed';
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
