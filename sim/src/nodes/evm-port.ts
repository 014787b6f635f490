// Production's EVM adapter over simulated nodes: every request waits for the scheduler, and may be lied to.
import { createEvmChain } from '@ducat/gateway/chains/evm/evm-chain';
import type { ChainPort } from '@ducat/gateway/chains/port';
import type { World } from '@ducat/gateway/runtime/world';
import type { SimChain } from './sim-chain.ts';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import { lieAbout } from './evm-lies.ts';
import { answerCall, type RpcCall } from './evm-node.ts';
import { listOf } from './fields.ts';
import type { Lie, Provider, Topic } from './provider.ts';

export function evmPort(process: SimProcess, chain: SimChain, gate: ChainGate, world: World): ChainPort {
  const providers = gate.providersOf(chain);
  const byHost = new Map(providers.map((provider) => [`${provider.name}.test`, provider]));
  const fetch = (input: unknown, init?: RequestInit): Promise<Response> => {
    const provider = byHost.get(new URL(String(input)).host);
    if (provider === undefined) return Promise.reject(new TypeError('there is no such host'));
    const text = typeof init?.body === 'string' ? init.body : '';
    return untilAborted(
      gate.scheduler.ask(
        process,
        `${provider.name} ${labelOf(text)}`,
        async () => exchange(provider, text, gate),
        {
          tell: ({ lie }) => lie ?? '',
        },
      ),
      init?.signal ?? null,
    );
  };
  return createEvmChain({
    definition: chain.definition,
    rpcUrls: [...byHost.keys()].map((host) => `http://${host}`),
    world,
    fetch,
  });
}

/** The little of a Response that the adapter looks at; a real one costs more than the rest of the call. */
type Answer = Pick<Response, 'status'> & { readonly lie: Lie | null };

function exchange(provider: Provider, text: string, gate: ChainGate): Answer {
  if (gate.isAway(provider)) throw new TypeError('connection refused');
  const { chain } = provider;
  const view = provider.view(gate.scheduler.nowMs);
  const asked: unknown = JSON.parse(text);
  const lie = gate.lie(provider, topicOf(callsIn(asked)[0]));
  const options = { chainId: chain.definition.chainId, currencies: chain.definition.currencies };
  const forgery = lie === null ? null : gate.forgery(chain);
  const answerOf = (call: RpcCall): object => {
    const honest = answerCall(call, view, options);
    const told = lie === null ? honest : lieAbout(lie, call, honest, forgery);
    return { jsonrpc: '2.0', id: lie === 'wrong id' ? call.id + 1 : call.id, ...told };
  };
  const answers = callsIn(asked).map(answerOf);
  const answer = JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  return { ...responseOf(lie === 'truncated answer' ? answer.slice(0, answer.length / 2) : answer), lie };
}

const NO_HEADERS = new Headers();

function responseOf(text: string): Pick<Response, 'status'> {
  const chunks: Uint8Array[] = [Buffer.from(text)];
  const read = () => {
    const value = chunks.shift();
    return Promise.resolve({ done: value === undefined, value });
  };
  const body = { getReader: () => ({ read }) };
  // The adapter looks at nothing else of it.
  return { status: 200, headers: NO_HEADERS, body } as unknown as Pick<Response, 'status'>;
}

/** As fetch: an aborted request fails at once, whatever becomes of the call. */
function untilAborted(call: Promise<Answer>, signal: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), {
      once: true,
    });
    // The same little of a Response.
    call.then((answer) => resolve(answer as unknown as Response), reject);
  });
}

/** Method and block of the first call, for the trace. */
function labelOf(text: string): string {
  const calls = callsIn(JSON.parse(text));
  const [first] = calls;
  const [parameter] = first?.params ?? [];
  const what = typeof parameter === 'string' ? parameter.slice(0, 14) : '';
  return `${first?.method ?? ''} ${what}${calls.length > 1 ? ` and ${calls.length - 1} more` : ''}`.trimEnd();
}

function callsIn(asked: unknown): readonly RpcCall[] {
  return listOf(Array.isArray(asked) ? asked : [asked]).map(({ id, method, params }) => ({
    id: Number(id),
    method: String(method),
    params: Array.isArray(params) ? params : [],
  }));
}

const topics: ReadonlyMap<string, Topic> = new Map([
  ['eth_getBlockReceipts', 'receipts'],
  ['debug_traceBlockByHash', 'traces'],
  ['debug_traceTransaction', 'traces'],
  ['eth_blockNumber', 'head'],
]);

function topicOf(call: RpcCall | undefined): Topic {
  if (call?.method !== 'eth_getBlockByNumber') return topics.get(call?.method ?? '') ?? 'other';
  if (call.params[0] === 'finalized') return 'final';
  return call.params[1] === true ? 'transactions' : 'other';
}
