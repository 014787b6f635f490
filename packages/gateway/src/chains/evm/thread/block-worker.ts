// The second thread of a chain that catches up: reads blocks as it is asked, and says what came of it.
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '@ducat/core/assert';
import { Outage } from '../../../runtime/outage.ts';
import { realWorld } from '../../../runtime/world.ts';
import type { RpcObserver } from '../../rpc/rpc-observer.ts';
import { createEvmReaders } from '../evm-reader.ts';
import type { BlockAnswer, BlockRequest, ThreadData } from './block-thread.ts';

const port = parentPort;
assert(port !== null, 'blocks are read in a thread of their own');
const send = (answer: BlockAnswer) => port.postMessage(answer);

// Only BlockThread starts this file, with exactly these.
const { definition, rpcUrls } = workerData as ThreadData;
const observer: RpcObserver = { onRequest: (observed) => send({ observed }) };
const readers = createEvmReaders({ definition, rpcUrls, world: realWorld, observer });

port.on('message', ({ id, place, number, query }: BlockRequest) => {
  const reader = readers[place];
  assert(reader !== undefined, 'both threads know the same providers');
  reader
    .block(number, query)
    .then((block) => send({ id, block }))
    .catch((error: unknown) => {
      const outage = error instanceof Outage ? error : new Outage(String(error), { kind: 'invalid' });
      const { message, kind, retryable } = outage;
      send({ id, outage: { message, kind, retryable } });
    });
});
