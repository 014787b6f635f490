// The floor of the notifier: Node's own client signs a body, posts it to one receiver in a loop and stores each outcome.
import { Agent, request } from 'node:http';
import { sign } from '@ducat/gateway/roles/notifier/sign';
import pg from 'pg';
import { INSERT_FLOOR_OUTCOMES } from '../rows/floor-outcomes.ts';
import { serveParent } from '../worker.ts';

/** The webhook that is posted each time, under a new event id. */
export interface Posted {
  readonly appId: string;
  readonly appKey: string;
  readonly status: string;
  readonly body: string;
}

let posted = 0;

const handlers = {
  /** Posts `count` webhooks, `concurrency` at a time, over kept connections. Ends when every outcome is committed. */
  async post({
    url,
    databaseUrl,
    what,
    count,
    concurrency,
  }: {
    url: string;
    databaseUrl: string;
    what: Posted;
    count: number;
    concurrency: number;
  }): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const outcomes = storeOutcomes(client);
    let left = count;
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (left > 0) {
          left -= 1;
          const eventId = `floor-${++posted}`;
          const headers = sign({ ...what, eventId }, what.appKey, Math.floor(Date.now() / 1_000));
          await postOne(agent, url, what.body, headers);
          outcomes.add(eventId);
        }
      }),
    );
    await outcomes.stored();
    await client.end();
    agent.destroy();
  },
};

/** Runs one statement at a time. Outcomes that come while a statement runs are stored by the next one. */
function storeOutcomes(client: pg.Client) {
  let waiting: string[] = [];
  let storing: Promise<void> | null = null;
  const store = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await client.query({ name: 'store', text: INSERT_FLOOR_OUTCOMES, values: [batch, Date.now()] });
    }
    storing = null;
  };
  return {
    add: (eventId: string) => {
      waiting.push(eventId);
      storing ??= store();
    },
    stored: async () => {
      await storing;
    },
  };
}

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
