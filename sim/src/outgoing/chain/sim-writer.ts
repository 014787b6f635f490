// A provider that takes our transactions: it answers by the block that it shows, and its pool drops, delays and lies.
import { broadcast as broadcastEvm } from '@ducat/gateway/chains/evm/writer/broadcast';
import { NodeError } from '@ducat/gateway/chains/evm/node-error';
import type { BlockReference } from '@ducat/gateway/chains/port/reader';
import type {
  BroadcastAnswer,
  PlannedTransfer,
  ProviderWriter,
  SweepGround,
  TransferEstimate,
} from '@ducat/gateway/chains/port/writer';
import { broadcast as broadcastTron } from '@ducat/gateway/chains/tron/writer/broadcast';
import { Outage } from '@ducat/gateway/runtime/outage';
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import type { ChainGate } from '../../nodes/chain-gate.ts';
import type { NodeView } from '../../nodes/evm-node.ts';
import type { Lie, Provider } from '../../nodes/provider.ts';
import type { SimBlock } from '../../nodes/sim-block.ts';
import type { SimProcess } from '../../world/sim-process.ts';
import { estimateAt } from './estimate-at.ts';
import type { FeeMarket } from './fee-market.ts';
import { groundAt, holds, nonceAt } from './ground.ts';
import { type Pool, receive } from './pool.ts';
import { readBytes } from './sent-bytes.ts';
import { groundOf } from './sweeping.ts';

export interface SimWriterParts {
  readonly process: SimProcess;
  readonly gate: ChainGate;
  readonly market: FeeMarket;
  readonly pool: Pool;
}

/** How far a wrong nonce is from the right one. */
const WRONG_NONCE = 3;
/** By how much a faulty provider exaggerates the price of gas. */
const EXAGGERATION = 40n;

export class SimWriter implements ProviderWriter {
  readonly provider: string;
  readonly #node: Provider;
  readonly #parts: SimWriterParts;

  constructor(node: Provider, parts: SimWriterParts) {
    this.provider = node.name;
    this.#node = node;
    this.#parts = parts;
  }

  estimate(transfer: PlannedTransfer): Promise<TransferEstimate> {
    const { definition } = this.#node.chain;
    return this.#call(`estimate ${transfer.currency.currencyId}`, ({ tip }, lie) => {
      if (lie === 'missing balance')
        return { outcome: 'impossible', reason: 'reverts', text: 'a lie', ...goneFor(transfer) };
      const honest = estimateAt(definition, this.#parts.market, tip, transfer);
      return lie === 'forged balance' ? exaggerated(honest) : honest;
    });
  }

  /** Stakes are read for operators only; no process of a run asks. */
  stakeOf(): Promise<null> {
    return Promise.resolve(null);
  }

  delegatedTo(): Promise<readonly []> {
    return Promise.resolve([]);
  }

  sweepGround(
    wallet: string,
    addresses: readonly string[],
    { hash }: BlockReference,
  ): Promise<SweepGround | null> {
    if (this.#node.chain.definition.family === 'tron') return Promise.resolve(null);
    return this.#call(`ground …${wallet.slice(-6)}`, ({ tip }, lie) => {
      const block = blockWith(tip, hash);
      if (block === null) throw new Outage('has no such block', { kind: 'not-yet' });
      const honest = groundOf(groundAt(block), wallet, addresses);
      if (lie === null) return honest;
      // By a false report either every address delegates to the sweeper, or none does.
      const delegates = lie === 'forged balance' ? 'to-sweeper' : 'nowhere';
      return { hasSweeper: true, accounts: honest.accounts.map((one) => ({ ...one, delegates })) };
    });
  }

  nextNonce(address: string, { hash }: BlockReference): Promise<number | null> {
    if (this.#node.chain.definition.family === 'tron') return Promise.resolve(null);
    return this.#call(`nonce …${address.slice(-6)}`, ({ tip }, lie) => {
      const block = blockWith(tip, hash);
      if (block === null) throw new Outage('has no such block', { kind: 'not-yet' });
      if (lie === 'missing balance') return 0;
      return nonceAt(block, address) + (lie === 'forged balance' ? WRONG_NONCE : 0);
    });
  }

  knows(txId: string): Promise<boolean> {
    return this.#call(`knows ${txId.slice(0, 10)}`, ({ tip }, lie) => {
      if (lie !== null) return lie === 'forged balance';
      return this.#node.chain.isWaiting(txId) || holds(tip, txId);
    });
  }

  /** Answers with the texts of nodes, as production interprets them. */
  broadcast(bytes: string): Promise<BroadcastAnswer> {
    const { chain } = this.#node;
    if (chain.definition.family === 'evm') {
      const call = async (): Promise<unknown> => {
        const problem = await this.#send(bytes);
        if (problem === null) return null;
        throw new NodeError(problem, 'unavailable', -32_000, false);
      };
      return broadcastEvm({ call }, bytes);
    }
    return broadcastTron(async () => {
      const code = await this.#send(bytes);
      return jsonOf(code === null ? { result: true } : { code, message: '' });
    }, bytes);
  }

  #send(bytes: string): Promise<string | null> {
    const { gate, process, pool, market } = this.#parts;
    const sent = readBytes(bytes);
    if (sent === null) return Promise.resolve('invalid signature');
    const label = `${this.provider} broadcast ${sent.txId.slice(0, 10)}`;
    return gate.scheduler.ask(
      process,
      label,
      async () => {
        if (gate.isAway(this.#node)) throw new Outage(`${this.provider} cannot be reached`);
        await pool.onBroadcast(this.#node.chain, bytes, sent);
        const { nowMs } = gate.scheduler;
        return receive(pool, this.#node.chain, sent, { nowMs, staked: market.stake });
      },
      { show: (problem) => problem ?? '', isEffect: () => true },
    );
  }

  #call<T>(label: string, answer: (view: NodeView, lie: Lie | null) => T): Promise<T> {
    const { gate, process } = this.#parts;
    const { scheduler } = gate;
    return scheduler.ask(process, `${this.provider} ${label}`, async () => {
      if (gate.isAway(this.#node)) throw new Outage(`${this.provider} cannot be reached`);
      const lie = gate.lie(this.#node, 'balances');
      if (lie !== null && !lie.endsWith(' balance'))
        throw new Outage(`${this.provider} answered with malformed JSON`, { kind: 'invalid' });
      return answer(this.#node.view(scheduler.nowMs), lie);
    });
  }
}

/** A faulty provider claims that there is no stake to take back. */
function goneFor({ delegation = null }: PlannedTransfer): { readonly stake?: 'gone' } {
  return delegation?.action === 'undelegate' ? { stake: 'gone' } : {};
}

function exaggerated(estimate: TransferEstimate): TransferEstimate {
  if (estimate.outcome === 'impossible' || estimate.terms.family === 'tron') return estimate;
  const { terms } = estimate;
  const maxFeePerGas = terms.maxFeePerGas * EXAGGERATION;
  return { ...estimate, terms: { ...terms, maxFeePerGas, priceThen: terms.priceThen * EXAGGERATION } };
}

function blockWith(tip: SimBlock, hash: string): SimBlock | null {
  for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
    if (block.header.hash === hash) return block;
  }
  return null;
}
