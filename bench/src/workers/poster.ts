// The floor of the notifier: a client of Node's own that posts the same body to the same receiver in a loop.
import { Agent, request } from 'node:http';
import { serveParent } from '../worker.ts';

const handlers = {
  /** Posts so many, so many at a time, over kept connections. */
  async post({
    url,
    body,
    headers,
    count,
    concurrency,
  }: {
    url: string;
    body: string;
    headers: Readonly<Record<string, string>>;
    count: number;
    concurrency: number;
  }): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
    let left = count;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          await postOne(agent, url, body, headers);
        }
      }),
    );
    agent.destroy();
  },
};

export type Poster = typeof handlers;

function postOne(
  agent: Agent,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => (text === 'Success' ? resolve() : reject(new Error(`answered ${text}`))));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

serveParent(handlers);
