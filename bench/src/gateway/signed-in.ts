// A person who is signed in to the dashboard, by a session written into the database: asks one operation after the other.
import { request as httpRequest } from 'node:http';
import { insertSession } from '@ducat/gateway/db/tables/access/dashboard-sessions';
import { insertMember } from '@ducat/gateway/db/tables/access/memberships';
import { insertPerson } from '@ducat/gateway/db/tables/access/people';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { newPersonId, newSessionId } from '@ducat/gateway/runtime/ids';
import { realWorld } from '@ducat/gateway/runtime/world';
import { KeptConnection, postText } from '../kept-connection.ts';

/** The dashboard's own origin where no address is configured, whatever port the system gave it. */
const ORIGIN = 'http://127.0.0.1:0';
const HOURS_12 = 12 * 3_600_000;

export interface SignedIn {
  /** Returns the answer and the milliseconds until it was complete; throws where its status is not 200. */
  ask(operation: string, body: object): Promise<{ readonly ms: number; readonly answer: unknown }>;
  /** Reads an answer as it comes. After each part `isEnough` gets the count of lines so far, and true ends the reading. */
  stream(operation: string, body: object, isEnough: (lines: number) => boolean): Promise<void>;
  close(): void;
}

/** Signs in the owner of the database's only merchant, for the dashboard at this URL. */
export async function signIn(database: Database, dashboardUrl: string): Promise<SignedIn> {
  const token = newToken(realWorld);
  await database.transact(async (tx) => {
    const [merchant] = await tx.read<{ id: string }>('SELECT merchant_id AS id FROM merchants', []);
    const personId = newPersonId(realWorld);
    const nowMs = realWorld.nowMs();
    const email = `${personId}@bench.example`;
    await insertPerson(tx, { personId, email, name: 'Bench', isOperator: false }, nowMs);
    await insertMember(tx, { merchantId: merchant?.id ?? '', personId, role: 'owner', sinceMs: nowMs });
    await insertSession(tx, {
      sessionId: newSessionId(realWorld),
      tokenHash: hashOfToken(token),
      personId,
      stage: 'signed-in',
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      expiresAtMs: nowMs + HOURS_12,
      stepUpUntilMs: nowMs + HOURS_12,
      address: '127.0.0.1',
      userAgent: 'bench',
    });
  });
  const port = Number(new URL(dashboardUrl).port);
  let connection = await KeptConnection.open(port);
  let asked = 0;
  const headers = () => {
    asked += 1;
    return {
      origin: ORIGIN,
      cookie: `ducat-session=${token}`,
      'content-type': 'application/json',
      // The rate limit counts by network address, so each request gets an address of its own.
      'x-forwarded-for': `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`,
    };
  };
  return {
    ask: async (operation, body) => {
      const text = postText(`/api/${operation}`, headers(), JSON.stringify(body));
      // The server closes a connection that is idle while the other database is asked.
      if (!connection.isOpen) connection = await KeptConnection.open(port);
      const startMs = performance.now();
      const answer = await connection.send(text);
      const ms = performance.now() - startMs;
      if (answer.status !== 200) throw new Error(`${operation}: ${answer.status} ${answer.body.toString()}`);
      const read: unknown = JSON.parse(answer.body.toString());
      return { ms, answer: read };
    },
    stream: (operation, body, isEnough) => readLines(port, operation, body, headers(), isEnough),
    close: () => connection.close(),
  };
}

function readLines(
  port: number,
  operation: string,
  body: object,
  headers: Readonly<Record<string, string>>,
  isEnough: (lines: number) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path: `/api/${operation}`, method: 'POST', headers },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`${operation}: ${response.statusCode}`));
        let lines = 0;
        response.on('data', (part: Buffer) => {
          for (const byte of part) if (byte === 0x0a) lines += 1;
          if (!isEnough(lines)) return;
          resolve();
          request.destroy();
        });
        response.once('end', resolve);
        response.once('error', reject);
        return undefined;
      },
    );
    request.once('error', reject);
    request.end(JSON.stringify(body));
  });
}
