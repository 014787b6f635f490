// What becomes of an endpoint is in the log once for each change, and in the metrics every time.
import { expect, it } from 'vitest';
import type { EndpointHealth } from '../../chains/port.ts';
import { createEndpointTeller } from './tell-endpoints.ts';

it('tells a trouble when it begins, when it becomes another one and when it is over', () => {
  const logged: unknown[] = [];
  const measured: (readonly EndpointHealth[])[] = [];
  let now: EndpointHealth = { endpoint: 'a.test', healthy: true, lastError: null };
  const tell = createEndpointTeller({
    chain: { definition: { name: 'Tron' }, health: () => [now] },
    log: {
      info: (fields, message) => logged.push([message, fields]),
      warn: (fields, message) => logged.push([message, fields]),
    },
    observer: { onEndpoints: (_, endpoints) => measured.push(endpoints) },
  });
  const becomes = (healthy: boolean, lastError: string | null): void => {
    now = { ...now, healthy, lastError };
    tell();
  };
  becomes(true, null);
  becomes(false, 'lies');
  becomes(false, 'lies');
  becomes(false, 'is away');
  becomes(true, 'is away');
  const about = { chain: 'Tron', endpoint: 'a.test' };
  expect(logged).toEqual([
    ['endpoint is in trouble', { ...about, reason: 'lies' }],
    ['endpoint is in trouble', { ...about, reason: 'is away' }],
    ['endpoint is used again', about],
  ]);
  expect(measured.map(([one]) => one?.healthy)).toEqual([true, false, false, false, true]);
});
