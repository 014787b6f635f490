// A loopback proxy before a Tron dev chain that changes what the node answers: a node that lies, lags or refuses.
import { createServer } from 'node:http';

type Json = Record<string, unknown>;

/**
 * Takes the path, such as wallet/getblock, the honest answer and the question. Gives the answer that is sent instead.
 */
export type TronTamper = (call: string, answer: Json, question: Json) => unknown;

export interface TronRefusal {
  readonly status: number;
  readonly text: string;
  /** The calls that are refused; all by default. */
  readonly calls?: RegExp;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TronProxy {
  readonly url: string;
  /** Calls in the order in which they were asked, with the key that came with each. */
  readonly asked: { readonly call: string; readonly key: string | undefined }[];
  /** Changes answers from now on; without an argument they are honest. */
  lie(tamper?: TronTamper): void;
  /** Answers with this status and text from now on, and forwards nothing; null ends it. */
  refuse(refusal: TronRefusal | null): void;
  stop(): Promise<void>;
}

export async function startTronProxy(upstream: string): Promise<TronProxy> {
  const asked: TronProxy['asked'] = [];
  let tamper: TronTamper | null = null;
  let refusal: TronRefusal | null = null;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const call = (request.url ?? '').slice(1);
      asked.push({ call, key: request.headers['tron-pro-api-key']?.toString() });
      const refused = refusal !== null && (refusal.calls?.test(call) ?? true) ? refusal : null;
      if (refused !== null) {
        response.writeHead(refused.status, refused.headers).end(refused.text);
        return;
      }
      const honest = await (await fetch(`${upstream}/${call}`, { method: 'POST', body })).text();
      // JSON.parse would round integers, so an honest answer goes through as it is.
      const text =
        tamper === null ? honest : JSON.stringify(tamper(call, JSON.parse(honest), JSON.parse(body)));
      response.writeHead(200).end(text);
    };
    answer().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    lie(next) {
      tamper = next ?? null;
    },
    refuse(next) {
      refusal = next;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
