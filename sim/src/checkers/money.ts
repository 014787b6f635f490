// After every commit: nothing changed that may not change, and nothing was credited before it was final.
import type { MoneyRows, OrderRow, TransferRow } from './books.ts';
import type { Findings } from './findings.ts';
import type { SimChain } from '../nodes/sim-chain.ts';

export class MoneyChecker {
  readonly #chains: ReadonlyMap<string, SimChain>;
  readonly #findings: Findings;
  #before: MoneyRows = { orders: [], cursors: [], transfers: [] };

  constructor(chains: readonly SimChain[], findings: Findings) {
    this.#chains = new Map(chains.map((chain) => [chain.definition.name, chain]));
    this.#findings = findings;
  }

  /** After a commit that moved cursors and nothing else. */
  checkCursors(cursors: MoneyRows['cursors']): void {
    const now = { ...this.#before, cursors };
    this.#checkCursors(now);
    this.#before = now;
  }

  check(now: MoneyRows): void {
    this.#checkCursors(now);
    const before = new Map(this.#before.orders.map((order) => [order.trade_no, order]));
    for (const order of now.orders) {
      this.#checkOrder(order, before.get(order.trade_no) ?? null, now);
      before.delete(order.trade_no);
    }
    for (const gone of before.keys()) this.#findings.add('23 orders stay', `${gone} is gone`);
    const known = new Map(this.#before.transfers.map((transfer) => [keyOf(transfer), transfer]));
    for (const transfer of now.transfers) this.#checkTransfer(transfer, known.get(keyOf(transfer)) ?? null);
    this.#before = now;
  }

  #checkCursors(now: MoneyRows): void {
    const before = new Map(this.#before.cursors.map((cursor) => [cursor.chain, cursor]));
    for (const cursor of now.cursors) {
      const { chain, halted_reason: halted } = cursor;
      this.#findings.expect(halted === null, '42 no chain halts', `${chain} halted: ${halted}`);
      const last = before.get(chain);
      if (last === undefined) continue;
      const back = (cursor.head_number ?? -1) < (last.head_number ?? -1);
      this.#findings.expect(
        !back || cursor.reorgs > last.reorgs,
        '16 cursor back',
        `${chain} went from ${last.head_number} back to ${cursor.head_number} without a recorded fork`,
      );
      this.#findings.expect(
        (cursor.final_number ?? -1) >= (last.final_number ?? -1),
        '16 cursor back',
        `${chain}: what is final went from ${last.final_number} back to ${cursor.final_number}`,
      );
    }
  }

  #checkOrder(order: OrderRow, before: OrderRow | null, now: MoneyRows): void {
    const name = order.trade_no;
    const from = before?.status ?? 'TO-BE-PAID';
    const moved = from !== order.status;
    this.#findings.expect(
      !moved || from === 'TO-BE-PAID',
      '19 status moves',
      `${name} went from ${from} to ${order.status}`,
    );
    if (moved && order.status === 'TIME-OUT') {
      const cursor = now.cursors.find(({ chain }) => chain === order.chain);
      const passed = this.#finalTime(order.chain, cursor?.final_number ?? 0);
      this.#findings.expect(
        passed > order.time_expire,
        '22 time-out behind the final cursor',
        `${name} timed out at ${order.time_expire}, and ${order.chain} is final only up to ${passed}`,
      );
    }
    if (before === null) return;
    this.#findings.expect(
      BigInt(order.collected) >= BigInt(before.collected),
      '21 collected never falls',
      `${name} fell from ${before.collected} to ${order.collected}`,
    );
    this.#findings.expect(termsOf(order) === termsOf(before), '23 terms stay', `${name} changed its terms`);
  }

  /**
   * The time of the chain's own block, not the time in the books, and of no block that the chain does not call final.
   */
  #finalTime(name: string, finalNumber: number): number {
    const chain = this.#chains.get(name);
    if (chain === undefined) return 0;
    return chain.at(Math.min(finalNumber, finalHeightOf(chain)))?.header.time ?? 0;
  }

  #checkTransfer(transfer: TransferRow, before: TransferRow | null): void {
    const key = keyOf(transfer);
    const isFinal = transfer.state === 'final';
    this.#findings.expect(
      transfer.entries === (isFinal ? 1 : 0),
      '10 one credit per effect',
      `${key} is ${transfer.state} and has ${transfer.entries} entries`,
    );
    if (before?.state === 'final') {
      const same = isFinal && before.block_hash === transfer.block_hash;
      this.#findings.expect(same, '12 final stays final', `${key} was final and changed`);
    }
    if (!isFinal || before?.state === 'final') return;
    const chain = this.#chains.get(transfer.chain);
    if (chain === undefined) return;
    const number = transfer.block_number;
    const block = chain.at(number);
    this.#findings.expect(
      block?.header.hash === transfer.block_hash,
      '12 credits are canonical',
      `${key} was credited from a block at ${number} that does not stand`,
    );
    this.#findings.expect(
      number <= finalHeightOf(chain),
      '12 credits are final',
      `${key} was credited at ${number}, final by the chain is ${chain.finalFloor}, and by count too ${finalHeightOf(chain)}`,
    );
  }
}

/** The highest block that was ever final both by the chain's own finality and by the count of confirmations. */
function finalHeightOf({ finalFloor, topHeight, definition }: SimChain): number {
  return Math.min(finalFloor, topHeight - definition.confirmations + 1);
}

function keyOf({ chain, tx_id, position }: TransferRow): string {
  return `${chain}/${tx_id.slice(0, 20)}/${position}`;
}

/** Everything about an order that never changes. */
function termsOf(order: OrderRow): string {
  return JSON.stringify({ ...order, status: '', collected: '' });
}
