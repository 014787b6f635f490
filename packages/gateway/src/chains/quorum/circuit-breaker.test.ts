// When a circuit opens, what it still allows, and when it closes.
import { createHandClock } from '@ducat/testkit/hand-clock';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

/** What happens to the breaker; a number is seconds that pass. */
type Event = 'failed' | 'doubted' | 'throttled' | 'answered' | 'agreed' | number;

function after(events: readonly Event[]): CircuitBreaker {
  const clock = createHandClock(0);
  const breaker = new CircuitBreaker(clock);
  for (const event of events) {
    if (typeof event === 'number') clock.advance(event * 1_000);
    else if (event === 'failed') breaker.failed('no answer');
    else if (event === 'doubted') breaker.doubted('wrong');
    else if (event === 'answered') breaker.answered();
    else if (event === 'agreed') breaker.agreed();
    else breaker.throttled('429');
  }
  return breaker;
}

const fail: readonly Event[] = ['failed', 'failed', 'failed'];
/** Doubted and closed again, with backoffs of 5, 10, 20 and 40 seconds. */
const relapses: readonly Event[] = [5, 10, 20, 40].flatMap((s) => ['doubted', s, 'agreed'] as const);

describe('a circuit', () => {
  it.each<readonly [string, readonly Event[], 'closed' | 'open' | 'half-open']>([
    ['begins closed', [], 'closed'],
    ['stays closed with lost connections now and then', ['failed', 'failed', 'answered', 'failed'], 'closed'],
    ['opens after three failures in a row', fail, 'open'],
    ['opens at once where the provider asks for it', ['throttled'], 'open'],
    ['is half-open at once where answers are doubted', ['doubted'], 'half-open'],
    ['is not closed by a vote within its backoff', ['doubted', 4, 'agreed'], 'half-open'],
    ['is not closed by an answer that was under way', [...fail, 1, 'answered', 'agreed'], 'open'],
    ['is half-open after its backoff', [...fail, 5], 'half-open'],
    ['is closed by a vote then', [...fail, 5, 'agreed'], 'closed'],
    ['opens again with the first failure then', [...fail, 5, 'failed'], 'open'],
    ['opens for twice as long then', [...fail, 5, 'failed', 9], 'open'],
    ['opens for twice as long and no longer', [...fail, 5, 'failed', 10], 'half-open'],
    [
      'is tried every minute, however long nothing came',
      [...fail, ...Array(9).fill([60, 'failed']).flat(), 60],
      'half-open',
    ],
    ['opens where a doubted provider stops answering', ['doubted', ...fail], 'open'],
    ['does not wait longer for failures that were under way', [...fail, 4, 'failed', 1], 'half-open'],
    ['remembers its backoff after relapses', [...relapses, 'doubted', 59, 'agreed'], 'half-open'],
    ['remembers it for as long as the longest one', [...relapses, 59, 'doubted', 59, 'agreed'], 'half-open'],
    ['forgets it then', [...relapses, 60, 'doubted', 5, 'agreed'], 'closed'],
    ['doubts for a minute at the most', [...relapses, 'doubted', 60, 'agreed'], 'closed'],
    ['does not wait for ever for a clock that was put back', ['doubted', -3_600, 'agreed'], 'closed'],
  ])('%s', (_what, events, circuit) => {
    expect(after(events).circuit).toBe(circuit);
  });

  // The alert on a provider that is out asks for an average above 1.4, where closed is 0, half-open 1 and open 2.
  it('is open for most of the time where each request is swallowed for 20 seconds', () => {
    const clock = createHandClock(0);
    const breaker = new CircuitBreaker(clock);
    const shown: number[] = [];
    const pass = () => {
      shown.push({ closed: 0, 'half-open': 1, open: 2 }[breaker.circuit]);
      clock.advance(1_000);
    };
    while (shown.length < 3_600) {
      for (let waited = 0; waited < 20; waited++) pass();
      breaker.failed('no answer');
      while (breaker.circuit === 'open') pass();
    }
    const averages = shown.map(
      (_, end) => shown.slice(end - 300, end).reduce((sum, one) => sum + one, 0) / 300,
    );
    // From the sixth minute on: the first backoffs are short.
    expect(Math.min(...averages.slice(360))).toBeGreaterThan(1.4);
    expect(Math.min(...averages.slice(600))).toBeGreaterThan(1.6);
  });

  it('says why it is not closed', () => {
    expect(after(fail).reason).toBe('no answer');
    expect(after(['doubted', ...fail]).reason).toBe('no answer');
    expect(after(['doubted', 5, 'agreed']).reason).toBeNull();
  });
});
