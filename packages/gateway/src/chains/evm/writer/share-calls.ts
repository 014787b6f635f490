// Sends equal requests of the same moment to a node once: the fees of now, the coin of one sender.
import type { JsonRpc } from '../json-rpc.ts';

export type Calls = Pick<JsonRpc, 'call'>;

/** Answers are not kept: a request that comes after an answer is sent anew. */
export function shareCalls(rpc: Calls): Calls {
  const underWay = new Map<string, Promise<unknown>>();
  return {
    call: (method, params) => {
      const question = JSON.stringify([method, params]);
      const asked =
        underWay.get(question) ?? rpc.call(method, params).finally(() => underWay.delete(question));
      underWay.set(question, asked);
      return asked;
    },
  };
}
