// Production's readers of EVM providers over simulated nodes: every request waits for the scheduler, and may get a lie.
import { createEvmReaders } from '@ducat/gateway/chains/evm/evm-reader';
import type { ProviderReader } from '@ducat/gateway/chains/port/provider-reader';
import type { HttpRequest, HttpResponse } from '@ducat/gateway/chains/rpc/http-post';
import type { World } from '@ducat/gateway/runtime/world';
import type { SimProcess } from '../world/sim-process.ts';
import type { ChainGate } from './chain-gate.ts';
import { lieAbout } from './evm-lies.ts';
import { answerCall, type RpcCall } from './evm-node.ts';
import { listOf } from './fields.ts';
import type { Lie, Provider, Topic } from './provider.ts';
import type { SimChain } from './sim-chain.ts';

export function evmReaders(
  process: SimProcess,
  chain: SimChain,
  gate: ChainGate,
  world: World,
): readonly ProviderReader[] {
  const providers = gate.providersOf(chain);
  const byHost = new Map(providers.map((provider) => [`${provider.name}.test`, provider]));
  const http = ({ url, body, signal }: HttpRequest): Promise<HttpResponse> => {
    const provider = byHost.get(new URL(url).host);
    if (provider === undefined) return Promise.reject(new TypeError('there is no such host'));
    const label = `${provider.name} ${labelOf(body)}`;
    const exchanged = gate.scheduler.ask(process, label, async () => exchange(provider, body, gate), {
      show: ({ lie }) => lie ?? '',
    });
    return untilAborted(exchanged, signal);
  };
  return createEvmReaders({
    definition: chain.definition,
    rpcUrls: [...byHost.keys()].map((host) => `http://${host}`),
    world,
    http,
  });
}

type Answer = HttpResponse & { readonly lie: Lie | null };

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
    const answer = lie === null ? honest : lieAbout(lie, call, honest, forgery);
    return { jsonrpc: '2.0', id: lie === 'wrong id' ? call.id + 1 : call.id, ...answer };
  };
  const answers = callsIn(asked).map(answerOf);
  const answer = JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
  const bytes = Buffer.from(lie === 'truncated answer' ? answer.slice(0, answer.length / 2) : answer);
  return { status: 200, body: bodyOf(bytes), lie };
}

async function* bodyOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

/** As over a real connection: an aborted request fails at once, whatever becomes of the call. */
function untilAborted(call: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
    call.then(resolve, reject);
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
  ['eth_blockNumber', 'head'],
  ['eth_call', 'balances'],
  ['eth_getBalance', 'balances'],
]);

function topicOf(call: RpcCall | undefined): Topic {
  if (call?.method !== 'eth_getBlockByNumber') return topics.get(call?.method ?? '') ?? 'other';
  if (call.params[0] === 'finalized') return 'final';
  return call.params[1] === true ? 'transactions' : 'other';
}
