// Asks a node once for what is asked for several times at the same moment: the fees of now, the coin of one sender.
import type { JsonRpc } from '../json-rpc.ts';

export type Calls = Pick<JsonRpc, 'call'>;

/** No answer is kept: what is asked after one came is asked anew. */
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
