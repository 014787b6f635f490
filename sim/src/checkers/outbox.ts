// After every commit: attempts are made in order, never early, never after the end, and bodies never change.
import type { AttemptRow, EventRow, OutboxRows } from './books.ts';
import type { Findings } from './findings.ts';

/** The contract's retry schedule in seconds, written once more, so that a change in the product is noticed. */
const RETRY_DELAYS_S = [5, 15, 30, 180, 600, 1200, 1800, 1800, 1800, 3600, 10800, 10800, 10800, 21600, 21600];
const MAX_ATTEMPTS = 16;
/** How long a claim lasts before another claim is allowed. */
const LEASE_MS = 30_000;
/**
 * How late an attempt may be in quiet time. There the clock moves by a block at a time, which is 24 seconds, and one
 * receiver gets two webhooks in each move. The webhooks that a load of sixteen orders left behind take ten moves.
 */
const MAX_LATE_MS = 240_000;
/** The same for first attempts under load, which are all due at once, and beside retries. */
const MAX_LATE_FIRST_MS = 2 * MAX_LATE_MS;

export class OutboxChecker {
  readonly #findings: Findings;
  #events = new Map<string, EventRow>();
  #attempts = new Map<string, AttemptRow>();

  readonly #slackMs: number;
  #calmSinceMs: number | null = null;

  /** `slackMs`: how far two clocks that write times may be apart. */
  constructor(findings: Findings, slackMs: number) {
    this.#findings = findings;
    this.#slackMs = slackMs;
  }

  /** Begins quiet time. Nothing fails any more, so no attempt may be late. */
  beCalm(nowMs: number): void {
    this.#calmSinceMs = nowMs;
  }

  check(now: OutboxRows): void {
    for (const event of now.events) this.#checkEvent(event);
    const started = now.attempts.filter((attempt) => !this.#attempts.has(keyOf(attempt)));
    for (const attempt of started) this.#checkAttempt(attempt, now);
    const ids = new Set(now.events.map((event) => event.event_id));
    for (const id of this.#events.keys()) {
      this.#findings.expect(ids.has(id), '25 events stay', `event ${id} is gone`);
    }
    this.#events = new Map(now.events.map((event) => [event.event_id, event]));
    this.#attempts = new Map(now.attempts.map((attempt) => [keyOf(attempt), attempt]));
  }

  #checkEvent(event: EventRow): void {
    const before = this.#events.get(event.event_id);
    const fixed = ({ trade_no, status, final, body, url, sequence }: EventRow) =>
      JSON.stringify([trade_no, status, final, body, url, sequence]);
    this.#findings.expect(
      before === undefined || fixed(before) === fixed(event),
      '27 identical bodies',
      `event ${event.event_id} was changed after it was written`,
    );
    const from = before?.state ?? 'pending';
    // A merchant that confirms late ends even a dead event.
    this.#findings.expect(
      from === 'pending' || from === event.state || (from === 'dead' && event.state === 'delivered'),
      '28 the end stays',
      `event ${event.event_id} was ${from} and is ${event.state}`,
    );
    this.#findings.expect(
      event.attempts <= MAX_ATTEMPTS,
      '28 at most 16 attempts',
      `event ${event.event_id} has ${event.attempts}`,
    );
  }

  #checkAttempt(attempt: AttemptRow, now: OutboxRows): void {
    const { event_id: id, attempt: number, started_at_ms: startedAt } = attempt;
    const event = now.events.find((one) => one.event_id === id);
    if (event === undefined) return;
    const before = this.#events.get(id);
    this.#findings.expect(
      before === undefined || before.state === 'pending',
      '28 nothing after the end',
      `event ${id} was ${before?.state} and attempt ${number} began`,
    );
    const last = this.#attempts.get(`${id}/${number - 1}`);
    this.#findings.expect(
      number === 1 || last !== undefined,
      '28 attempts count up',
      `attempt ${number} of event ${id} has none before it`,
    );
    if (last !== undefined) {
      const delay = (RETRY_DELAYS_S[number - 2] ?? 0) * 1000;
      // An attempt whose end was not recorded counts as over when its lease has ended.
      const earliest = last.started_at_ms + (last.duration_ms ?? LEASE_MS) + delay;
      this.#findings.expect(
        startedAt >= earliest - this.#slackMs,
        '28 never early',
        `attempt ${number} of event ${id} began ${earliest - startedAt} ms early, after ${last.outcome}`,
      );
      this.#checkNotLate(attempt, earliest, MAX_LATE_MS);
    } else if (!now.events.some((one) => isWaitedFor(one, event))) {
      this.#checkNotLate(attempt, event.created_at_ms, MAX_LATE_FIRST_MS);
    }
    if (!event.final) this.#checkOrder(event, number);
  }

  #checkNotLate(
    { event_id: id, attempt: number, started_at_ms: startedAt }: AttemptRow,
    dueMs: number,
    mostMs: number,
  ): void {
    if (this.#calmSinceMs === null) return;
    const latest = Math.max(dueMs, this.#calmSinceMs) + mostMs + this.#slackMs;
    const message = `attempt ${number} of event ${id} began ${startedAt - dueMs} ms after its time`;
    this.#findings.expect(startedAt <= latest, '28 not late in quiet time', message);
  }

  /** Only a final event may overtake an earlier event of the same order. */
  #checkOrder(event: EventRow, number: number): void {
    for (const earlier of this.#events.values()) {
      if (!isWaitedFor(earlier, event) || earlier.state !== 'pending') continue;
      this.#findings.add(
        '30 order per trade_no',
        `attempt ${number} of event ${event.event_id} overtook ${earlier.event_id} of the same order`,
      );
    }
  }
}

/** Whether `earlier` has to be delivered before the other event of the same order. */
function isWaitedFor(earlier: EventRow, { trade_no: tradeNo, sequence }: EventRow): boolean {
  return earlier.trade_no === tradeNo && earlier.sequence < sequence;
}

function keyOf({ event_id, attempt }: AttemptRow): string {
  return `${event_id}/${attempt}`;
}
