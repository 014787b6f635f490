// A loopback proxy before a dev node that changes what the node answers, in every way we know.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Takes the method, the node's result and the parameters. Gives the result that is answered instead, or a promise of it. */
export type Tamper = (method: string, result: unknown, params: unknown) => unknown;

/** Takes the whole body of an answer and the methods of its calls. Gives the body and the status (default 200) to send. */
export type TamperBody = (
  body: string,
  methods: readonly string[],
) => { readonly status?: number; readonly body: string };

/** How answers are changed. `errors` gives, by method, the JSON-RPC error that the node answers with. */
export interface Tampering {
  readonly result?: Tamper;
  readonly body?: TamperBody;
  readonly errors?: Readonly<Record<string, object>>;
}

export interface TamperingProxy {
  readonly url: string;
  /** Methods in the order in which they were asked. */
  readonly asked: string[];
  /** Changes answers from now on; without an argument nothing is changed. */
  change(tampering?: Tampering): void;
  stop(): Promise<void>;
}

export async function startTamperingProxy(upstream: string): Promise<TamperingProxy> {
  let tampering: Tampering = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    const calls = [JSON.parse(sent)].flat();
    asked.push(...calls.map(({ method }) => String(method)));
    const headers = { 'content-type': 'application/json' };
    const own: unknown = await (await fetch(upstream, { method: 'POST', headers, body: sent })).json();
    const answers = await Promise.all(
      [own].flat().map((one, index) => tampered(one, calls[index], tampering)),
    );
    const text = JSON.stringify(Array.isArray(own) ? answers : answers[0]);
    const methods = calls.map(({ method }) => String(method));
    const { status = 200, body } = tampering.body?.(text, methods) ?? { body: text };
    response.writeHead(status, headers).end(body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    change(next = {}) {
      tampering = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Call {
  readonly method: string;
  readonly params: unknown;
}

async function tampered(
  answer: unknown,
  { method, params }: Call,
  { result, errors }: Tampering,
): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null) return answer;
  const error = errors?.[method];
  if (error !== undefined) return { ...answer, result: undefined, error };
  if (result === undefined || !('result' in answer)) return answer;
  return { ...answer, result: await result(method, answer.result, params) };
}

/** Changes the answers to one method, except where the answer is null. */
export function tamper(name: string, change: (result: unknown) => unknown): Tamper {
  return (method, result) => (method === name && result !== null ? change(result) : result);
}

/** Changes what lies at a path such as `0.logs.0.data`; a change to undefined leaves the field out. */
export function put(path: string, value: unknown): (json: unknown) => unknown {
  return at(path, () => value);
}

/** As `put`, but the new value is computed from the old one. */
export function at(path: string, change: (old: unknown) => unknown): (json: unknown) => unknown {
  const [key = '', ...rest] = path.split('.');
  const below = rest.length === 0 ? change : at(rest.join('.'), change);
  return (json) => {
    if (Array.isArray(json)) return json.with(Number(key), below(json[Number(key)]));
    if (typeof json !== 'object' || json === null) throw new Error(`there is nothing at ${path}`);
    return { ...json, [key]: below(Object.entries(json).find(([name]) => name === key)?.[1]) };
  };
}

/** A change of a list as a whole. */
export function list(change: (items: readonly unknown[]) => unknown): (json: unknown) => unknown {
  return (json) => {
    if (!Array.isArray(json)) throw new Error('there is no list');
    return change(json);
  };
}
