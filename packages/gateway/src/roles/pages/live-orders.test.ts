// A stream whose reader left before it was opened is never kept.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CheckoutState } from '@ducat/contract/checkout-view';
import { expect, it } from 'vitest';
import { createLiveOrders } from './live-orders.ts';
import { defaultPagesLimits, type PagesDeps } from './port.ts';

it('is not looked at for a reader that left while its state was read', async () => {
  const looks: unknown[] = [];
  const reader = {
    read: async (...question: unknown[]) => {
      looks.push(question);
      return [];
    },
  };
  // Nothing else of them is asked for here.
  const live = createLiveOrders({ reader, limits: defaultPagesLimits } as unknown as PagesDeps);
  // The parts of a state that a stream is kept by.
  const state = { now: 1, view: { trade_no: 'ord_1', currency: { chain: 'ETH' } } } as CheckoutState;
  const server = createServer((_, response) => {
    client.destroy();
    response.once('close', () => {
      live.open(response, state, '127.0.0.1');
      server.emit('opened');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
  client.end();
  await once(server, 'opened');
  await live.look('ord_1');
  server.close();
  expect(looks).toEqual([]);
});
