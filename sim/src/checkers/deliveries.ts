// At the end: the merchants' servers received what the outbox says, signed, unchanged, and at the right address.
import { createHmac } from 'node:crypto';
import type { EventRow } from './books.ts';
import type { AppSetup } from '../actors/setup.ts';
import type { Findings } from './findings.ts';
import type { Mood, ReceivedRequest } from '../actors/merchants.ts';

const MAX_ATTEMPTS = 16;
/** A claim that is left from the fault phase may still be answered beside the claim that ends the event. */
const MAX_SETTLED = 2;

/** The app that an order's events belong to, and the URL that they go to; null for none. */
export interface Destination {
  readonly app: AppSetup;
  readonly url: string | null;
}

/** The answers that confirm an event. A lost answer does not, because the notifier never received it. */
const CONFIRMING: ReadonlySet<Mood> = new Set(['success', 'slow']);

/** `destinations` by trade_no. */
export function checkDeliveries(
  received: readonly ReceivedRequest[],
  events: readonly EventRow[],
  destinations: ReadonlyMap<string, Destination>,
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
        `a merchant received event ${id}, which is not in the books`,
      );
      continue;
    }
    checkRequest(request, event, destinations.get(event.trade_no), findings);
  }
  for (const id of counts.keys()) {
    const settled = received.filter(
      ({ headers, isSettled }) => isSettled && headers['X-Event-Id'] === id,
    ).length;
    const message = `event ${id} was answered with Success ${settled} times in quiet time`;
    findings.expect(settled <= MAX_SETTLED, '28 none after Success', message);
  }
  for (const [id, count] of counts) {
    const attempts = Math.min(byId.get(id)?.attempts ?? 0, MAX_ATTEMPTS);
    const message = `event ${id} was received ${count} times in ${attempts} attempts`;
    findings.expect(count <= attempts, '28 at most 16 attempts', message);
  }
  const confirmed = new Set(
    received.filter(({ mood }) => CONFIRMING.has(mood)).map(({ headers }) => headers['X-Event-Id']),
  );
  for (const event of events) {
    checkEnd(event, confirmed.has(event.event_id), destinations.get(event.trade_no), findings);
  }
}

function checkRequest(
  request: ReceivedRequest,
  event: EventRow,
  destination: Destination | undefined,
  findings: Findings,
): void {
  const { headers, body, url, signedAtMs } = request;
  const app = destination?.app;
  findings.expect(
    body === event.body,
    '27 identical bodies',
    `event ${event.event_id} was sent with another body`,
  );
  findings.expect(
    url === destination?.url && event.app_id === app?.appId && headers['X-Appid'] === app?.appId,
    '29 to its own merchant only',
    `event ${event.event_id} of ${event.app_id} went to ${url}`,
  );
  findings.expect(
    headers['X-EventType'] === statusIn(event.body),
    '27 the type is the status',
    `event ${event.event_id} was sent as ${headers['X-EventType']}`,
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

function statusIn(body: string): unknown {
  return Object(JSON.parse(body)).status;
}

/** No event is left under way: it is delivered, dead after all attempts, or never to be sent. */
function checkEnd(
  event: EventRow,
  isConfirmed: boolean,
  destination: Destination | undefined,
  findings: Findings,
): void {
  const name = `event ${event.event_id} of ${event.app_id}`;
  const expected = destination?.url === null ? ['unsent'] : ['delivered', 'dead'];
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
      isConfirmed,
      '25 delivered means confirmed',
      `${name} is delivered, and nobody ever answered Success to it`,
    );
  }
}
