// At the end: what the merchants' servers got is what the outbox says, signed, unchanged, and to the right address.
import { createHmac } from 'node:crypto';
import type { EventRow } from '../books.ts';
import type { CastApp } from '../cast.ts';
import type { Findings } from '../findings.ts';
import type { ReceivedRequest } from '../merchants.ts';

const MAX_ATTEMPTS = 16;
/** One claim that the storm left behind may still be answered beside the one that ends it. */
const MAX_SETTLED = 2;

export function checkDeliveries(
  received: readonly ReceivedRequest[],
  events: readonly EventRow[],
  apps: readonly CastApp[],
  findings: Findings,
): void {
  const byId = new Map(events.map((event) => [event.event_id, event]));
  const counts = new Map<string, number>();
  for (const request of received) {
    const id = request.headers['X-Event-Id'] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
    const event = byId.get(id);
    if (event === undefined) {
      findings.add(
        '25 events exist when committed',
        `a merchant heard of event ${id}, which is not in the books`,
      );
      continue;
    }
    checkRequest(request, event, apps, findings);
  }
  for (const id of counts.keys()) {
    const settled = received.filter(
      ({ headers, isSettled }) => isSettled && headers['X-Event-Id'] === id,
    ).length;
    const message = `event ${id} was answered with Success ${settled} times in quiet time`;
    findings.expect(settled <= MAX_SETTLED, '28 none after Success', message);
  }
  for (const [id, count] of counts) {
    findings.expect(
      count <= MAX_ATTEMPTS,
      '28 at most 16 attempts',
      `event ${id} was received ${count} times`,
    );
  }
  for (const event of events) checkEnd(event, counts.get(event.event_id) ?? 0, apps, findings);
}

function checkRequest(
  request: ReceivedRequest,
  event: EventRow,
  apps: readonly CastApp[],
  findings: Findings,
): void {
  const { headers, body, url, signedAtMs } = request;
  const app = apps.find(({ appId }) => appId === event.app_id);
  findings.expect(
    body === event.body,
    '27 identical bodies',
    `event ${event.event_id} was sent with another body`,
  );
  findings.expect(
    app !== undefined && url === app.callbackUrl && headers['X-Appid'] === app.appId,
    '29 to its own merchant only',
    `event ${event.event_id} of ${event.app_id} went to ${url}`,
  );
  const timestamp = headers['X-Timestamp'] ?? '';
  const key = app?.appKey ?? '';
  const signature = createHmac('sha256', key).update(`${body}${timestamp}${key}`).digest('hex');
  findings.expect(
    headers['X-Sign'] === signature && Math.abs(signedAtMs / 1000 - Number(timestamp)) <= 120,
    '27 fresh valid signature',
    `event ${event.event_id} was not signed rightly at ${timestamp}`,
  );
}

/** Nothing is left on its way: told, given up after all attempts, or never to be sent. */
function checkEnd(event: EventRow, received: number, apps: readonly CastApp[], findings: Findings): void {
  const app = apps.find(({ appId }) => appId === event.app_id);
  const name = `event ${event.event_id} of ${event.app_id}`;
  const expected = app?.callbackUrl === null ? ['unsent'] : ['delivered', 'dead'];
  findings.expect(expected.includes(event.state), '25 delivered or dead', `${name} is ${event.state}`);
  if (event.state === 'dead') {
    findings.expect(
      event.attempts === MAX_ATTEMPTS,
      '28 dead after 16',
      `${name} died after ${event.attempts}`,
    );
  }
  if (event.state === 'delivered') {
    findings.expect(
      received > 0,
      '25 delivered means received',
      `${name} is delivered, and nobody received it`,
    );
  }
}
