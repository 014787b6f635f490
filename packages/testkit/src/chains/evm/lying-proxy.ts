// A loopback proxy before a dev node that changes what the node answers: the node that lies, in every way we know.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isRecord } from './blocks/raw-block.ts';

/** Gets the method, the honest result and the parameters, gives what is answered instead, or a promise of it. */
export type Tamper = (method: string, result: unknown, params: unknown) => unknown;

/** Gets the whole honest body, gives what is sent, and with what status. */
export type TamperBody = (
  body: string,
  methods: readonly string[],
) => { readonly status?: number; readonly body: string };

export interface LyingProxy {
  readonly url: string;
  /** Methods in the order in which they were asked. */
  readonly asked: string[];
  /** From now on; honest without argument. */
  lie(lies?: { readonly result?: Tamper; readonly body?: TamperBody }): void;
  stop(): Promise<void>;
}

export async function startLyingProxy(upstream: string): Promise<LyingProxy> {
  let lies: { readonly result?: Tamper; readonly body?: TamperBody } = {};
  const asked: string[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let question = '';
    for await (const chunk of request) question += String(chunk);
    const questions = listOf(JSON.parse(question));
    const methods = questions.map((one) => String(one['method']));
    asked.push(...methods);
    const headers = { 'content-type': 'application/json' };
    const honest: unknown = await (await fetch(upstream, { method: 'POST', headers, body: question })).json();
    const { result, body } = lies;
    const changed = JSON.stringify(result === undefined ? honest : await tampered(honest, questions, result));
    const sent = body === undefined ? { body: changed } : body(changed, methods);
    response.writeHead(sent.status ?? 200, headers).end(sent.body);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    lie(next = {}) {
      lies = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

function listOf(question: unknown): readonly Json[] {
  return (Array.isArray(question) ? question : [question]).filter(isRecord);
}

async function tampered(honest: unknown, questions: readonly Json[], tamper: Tamper): Promise<unknown> {
  const change = async (answer: unknown, question: Json | undefined): Promise<unknown> =>
    isRecord(answer) && 'result' in answer
      ? {
          ...answer,
          result: await tamper(String(question?.['method']), answer['result'], question?.['params']),
        }
      : answer;
  if (!Array.isArray(honest)) return change(honest, questions[0]);
  return Promise.all(honest.map((one: unknown, index) => change(one, questions[index])));
}
