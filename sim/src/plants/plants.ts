// The planted bugs: each changes one text of the compiled product, which must occur there exactly once.
import { readFileSync } from 'node:fs';
import { apiPlants } from './api-plants.ts';
import { chainPlants } from './chain-plants.ts';
import { outgoingPlants } from './outgoing-plants.ts';
import { energyPlants } from './energy-plants.ts';
import { sweepPlants } from './sweep-plants.ts';
import { changesOf, type Plant } from './planted-bug.ts';

const core = (file: string): string => `core/dist/${file}.js`;
const gateway = (file: string): string => `gateway/dist/${file}.js`;

const money: Readonly<Record<string, Plant>> = {
  'credit-before-final': {
    bug: 'the count of confirmations alone makes money final, whatever the chain says',
    file: gateway('chains/quorum/final-block'),
    find: 'return Math.min(own ?? -1, finalByCount(definition, head));',
    replace: 'return finalByCount(definition, head);',
  },
  'one-confirmation-too-few': {
    bug: 'a block counts as final one confirmation too early',
    file: core('chain/chain'),
    find: 'return head - chain.confirmations + 1;',
    replace: 'return head - chain.confirmations + 2;',
  },
  'one-vote-for-final': {
    bug: 'a quorum of one: a single provider makes a block final, although more are configured',
    file: gateway('chains/quorum/quorum-reader'),
    find: 'const needed = wanted ?? defaultQuorum(readers.length);',
    replace: 'const needed = 1;',
  },
  'final-hash-not-compared': {
    bug: 'what is final is settled by its height, whatever block stands there in the books',
    file: gateway('flows/blocks/settle-final'),
    find: 'if (own.hash !== final.hash)',
    replace: 'if (own.hash === null)',
  },
  'block-wide-position': {
    bug: 'a token transfer is known by its log index in the block instead of in its transaction',
    file: gateway('chains/evm/block/receipts'),
    find: 'const position = `log:${index}`;',
    replace:
      'const position = `log:${index + this.all.reduce((sum, one) => sum + one.transfers.length, 0)}`;',
  },
  'position-forgotten': {
    bug: 'one transaction is taken for one payment: the second transfer in it is dropped',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'placed(transfers.filter(({ from, to }) => ours.has(from) || ours.has(to)), 1),',
    replace:
      'placed(transfers.filter(({ from, to }, place) => (ours.has(from) || ours.has(to)) && transfers.findIndex(({ txId }) => txId === transfers[place].txId) === place), 1),',
  },
  'ancestor-revert-ignored': {
    bug: 'value in a call below one that failed counts as moved',
    file: gateway('chains/evm/internal/call-frames'),
    find: 'if (isFailed(frame))\n            return;',
    replace: '',
  },
  'failed-transaction-counts': {
    bug: 'what a failed transaction meant to move counts as moved',
    file: gateway('chains/evm/block/receipts'),
    find: 'succeeded: status === 1,',
    replace: 'succeeded: true,',
  },
  'nft-counts-as-token': {
    bug: 'any event whose first topic is that of a transfer counts, whatever its shape',
    file: gateway('chains/evm/block/receipts'),
    find: 'const isLike = isAddress && isWord && topics.length === 3;',
    replace: 'const isLike = isAddress && topics.length >= 3;',
  },
  'internal-value-not-seen': {
    bug: 'balances are not compared, so internal transactions are not looked for',
    file: gateway('roles/watcher/search/search-once'),
    find: 'if (after.size === 0)',
    replace: 'if (after.size >= 0)',
  },
  'internal-value-by-one-report': {
    bug: 'one provider alone is believed about balances',
    file: gateway('roles/watcher/search/read-surplus'),
    find: 'for (let count = chain.quorum;; count++) {',
    replace: 'for (let count = 1;; count++) {',
    also: { find: 'agreeOnSurplus(surpluses, chain.quorum)', replace: 'agreeOnSurplus(surpluses, 1)' },
  },
  'receipts-not-proven': {
    bug: 'receipts are believed without computing their root',
    file: gateway('chains/evm/block/read-block'),
    find: `if (areKnown)
        expectRoot(receipts,`,
    replace: `if (false)
        expectRoot(receipts,`,
  },
  'final-block-not-read-again': {
    bug: 'a block that does not prove itself counts as it was first read',
    file: gateway('flows/blocks/compare-blocks'),
    find: 'const moved = await findDifferences(tx, chain, blocks);',
    replace: 'const moved = [];',
  },
  'undo-forgets-transfers': {
    bug: 'a fork leaves the transfers of the lost blocks as they were',
    file: gateway('flows/blocks/undo-blocks'),
    find: 'const orphaned = await orphanTransfersAbove(tx, chain, above);',
    replace: 'const orphaned = 0;',
  },
  'undo-one-block-short': {
    bug: 'a fork leaves the transfers of the lowest lost block as they were',
    file: gateway('flows/blocks/undo-blocks'),
    find: 'await orphanTransfersAbove(tx, chain, above);',
    replace: 'await orphanTransfersAbove(tx, chain, above + 1);',
  },
  'orphan-never-returns': {
    bug: 'a transfer that a fork took away is not taken back when it comes again',
    file: gateway('db/tables/transfers/insert-transfers'),
    find: `['seen', ['orphaned', 'proposed'], forOrders]`,
    replace: `['seen', ['never'], forOrders]`,
  },
  'booked-twice': {
    bug: 'a settled transfer is not marked, and no unique key stops the second booking',
    file: gateway('flows/blocks/settle'),
    find: 'await markFinal(tx, settled.dispositions);',
    replace: '',
    change: [
      'ALTER TABLE entries DROP CONSTRAINT entries_fact_reference_key',
      'DROP INDEX entries_one_per_transfer',
    ],
  },
  'cursor-apart': {
    bug: 'the head does not move with its block',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'await moveHead(tx, chain.name, tip, { first: next[0]?.header.number ?? tip.number, nowMs });',
    replace: '',
  },
  'batch-forgets-transfers': {
    bug: 'of blocks that are taken together, only the transfers of the first are booked',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'const seen = ours.flatMap(({ transfers }) => transfers);',
    replace: 'const seen = ours.slice(0, 1).flatMap(({ transfers }) => transfers);',
  },
  'batch-keeps-head': {
    bug: 'the head moves to the first of several blocks that are taken together',
    file: gateway('flows/blocks/accept-blocks'),
    find: 'const tip = next.at(-1)?.header;',
    replace: 'const tip = next[0]?.header;',
  },
  'block-in-parts': {
    bug: 'what a block holds is committed apart from the block: the flow writes nothing of its transfers',
    file: gateway('roles/watcher/step'),
    find: 'const input = { chain: definition, blocks, nowMs: world.nowMs(), lease };',
    replace:
      'const input = { chain: definition, blocks: blocks.map((one) => (one.header.number % 3 === 0 ? { ...one, transfers: [] } : one)), nowMs: world.nowMs(), lease };',
  },
  'collected-overwritten': {
    bug: 'the newest payment takes the place of the sum',
    file: core('order/transition'),
    find: 'parts.reduce((sum, part) => add(sum, part.amount), before.order.collected)',
    replace: 'parts.map((part) => part.amount).reduce((sum, one) => add(sum, one))',
  },
  'collected-not-carried': {
    bug: 'of two payments settled at once, the second does not see the first',
    file: core('order/settle-all'),
    find: '(changed.get(tradeNo) ?? orders.get(tradeNo))',
    replace: 'orders.get(tradeNo)',
  },
  'tolerance-twice': {
    bug: 'the tolerance is applied twice',
    file: core('order/transition'),
    find: 'share(order.due, order.tolerancePpm,',
    replace: 'share(order.due, order.tolerancePpm * 2n,',
  },
  'any-currency-counts': {
    bug: 'a payment counts by its number, whatever token it is in',
    file: core('order/transition'),
    find: 'if (order.currencyId !== transfer.amount.currencyId)\n        return false;',
    replace:
      'if (order.currencyId !== transfer.amount.currencyId) transfer.amount = { ...transfer.amount, currencyId: order.currencyId };',
  },
  'fee-rounded-up': {
    bug: 'the fee is rounded up, against the merchant',
    file: core('ledger/recipes'),
    find: `export function bookDeposit(transfer, appId, feePpm) {
    const { part: fee, rest: net } = share(transfer.amount, feePpm, 'down')`,
    replace: `export function bookDeposit(transfer, appId, feePpm) {
    const { part: fee, rest: net } = share(transfer.amount, feePpm, 'up')`,
  },
  'due-rounded-down': {
    bug: 'the amount due for a price in dollars is rounded down, against the merchant',
    file: core('order/order'),
    find: "tokensFor(fiatUnits, FIAT_DECIMALS, quote.value.rate, currency, 'up')",
    replace: "tokensFor(fiatUnits, FIAT_DECIMALS, quote.value.rate, currency, 'down')",
  },
  'unassigned-money-dropped': {
    bug: 'money that no order counts is not booked',
    file: core('order/settle-all'),
    find: 'settled.entries.push(bookUnassignedReceipt(transfer, to));',
    replace: '',
  },
};

const orders: Readonly<Record<string, Plant>> = {
  'wall-clock-expiry': {
    bug: 'orders time out by the clock instead of by the final block',
    file: gateway('flows/orders/expire-orders'),
    find: 'const finalTime = cursor?.finalTime ?? null;',
    replace: 'const finalTime = cursor === undefined ? null : Math.floor(input.nowMs / 1000);',
    also: { find: 'cursor?.searchedTime ?? 0', replace: 'finalTime' },
  },
  'expiry-by-head': {
    bug: 'orders time out by the newest block, which may still go away',
    file: gateway('flows/orders/expire-orders'),
    find: '?.finalTime ?? null',
    replace: '?.headTime ?? null',
  },
  'late-pays': {
    bug: 'a payment after the expiry still pays the order',
    file: core('order/transition'),
    find: 'return block.time > order.timeExpire;',
    replace: 'return false;',
  },
  'unique-key-dropped': {
    bug: 'nothing stops a second order under the same out_trade_no',
    file: gateway('db/tables/orders/new-orders'),
    find: 'SELECT app_id, out_trade_no, trade_no FROM placed',
    replace: 'SELECT app_id, out_trade_no || trade_no, trade_no FROM placed',
  },
  'address-shared': {
    bug: 'two orders may get the same address',
    file: gateway('db/tables/orders/new-orders'),
    find: 'a.trade_no IS NULL AND NOT a.retired\n      ORDER BY a.app_id, a.family, a.address_id LIMIT pool.wants FOR UPDATE SKIP LOCKED',
    replace: 'NOT a.retired\n      ORDER BY a.app_id, a.family, a.address_id LIMIT pool.wants',
    change: ['DROP INDEX orders_live_address'],
  },
};

const lease: Readonly<Record<string, Plant>> = {
  'lease-ignored': {
    bug: 'a process that lost its lease commits as before',
    file: gateway('db/tables/leases'),
    find: 'return rows[0]?.isHeld === true;',
    replace: 'return rows.length >= 0;',
  },
};

const webhooks: Readonly<Record<string, Plant>> = {
  'event-in-memory': {
    bug: 'the state changes, and its event is written after the commit, by whoever lives long enough',
    file: gateway('roles/watcher/settle'),
    find: 'const done = await transact((tx) => settleFinal(tx, input));',
    replace: `const late = [];
        const done = await transact((tx) => settleFinal({ read: tx.read, write: (sql, values) => sql.includes('INSERT INTO events') ? (late.push([sql, values]), Promise.resolve([])) : tx.write(sql, values) }, input));
        for (const [sql, values] of late) await transact((tx) => tx.write(sql, values));`,
  },
  'event-not-written': {
    bug: 'an order times out, and its event is forgotten',
    file: gateway('flows/orders/expire-orders'),
    find: 'await insertEvents(tx,',
    replace: 'await Promise.all([tx].slice(1),',
  },
  'retry-with-new-id': {
    bug: 'each attempt carries a new event id, so that a merchant cannot know it again',
    file: gateway('roles/notifier/sign'),
    find: 'delivery.eventId',
    replace: '`${delivery.eventId}-${delivery.attempt}`',
  },
  'claim-without-lease': {
    bug: 'a claim runs out while its attempt is still under way',
    file: gateway('db/tables/deliveries/claims'),
    find: 'nowMs + leaseMs,',
    replace: 'nowMs + 500,',
  },
  'delivery-not-recorded': {
    bug: 'what became of an attempt is not written down',
    file: gateway('roles/notifier/recorder'),
    find: "const recorded = await transact((tx) => recordDeliveries(tx, ended), 'one-statement');",
    replace: "const recorded = ended.map(() => 'known');",
  },
  'any-answer-is-success': {
    bug: 'an attempt counts as delivered whatever the merchant answered',
    file: gateway('flows/deliveries/record-delivery'),
    find: "const state = ended.outcome === 'delivered' ? 'delivered'",
    replace: "const state = ended.outcome !== 'none' ? 'delivered'",
  },
  'old-failure-undoes-success': {
    bug: 'a failure that is recorded late takes back what a newer attempt came to',
    file: gateway('db/tables/deliveries/attempt-ends'),
    find: "ELSE events.state = 'pending' AND attempts = recorded.attempt",
    replace: 'ELSE true',
  },
  'retry-too-early': {
    bug: 'a webhook is tried again after the delay of the retry before',
    file: gateway('flows/deliveries/record-delivery'),
    find: 'nextAttemptInMs(scheduledAttempt)',
    replace: 'nextAttemptInMs(Math.max(1, scheduledAttempt - 1))',
  },
  'no-order-among-events': {
    bug: 'an event does not wait for the one before it',
    file: gateway('db/tables/deliveries/claims'),
    find: "WHEN earlier.look_at_ms IS NOT NULL THEN 'waits'",
    replace: '',
  },
  'sent-again-after-success': {
    bug: 'what was delivered is sent once more by the same attempt',
    file: gateway('roles/notifier/deliver'),
    find: 'return await post({ url: delivery.url, headers, body: delivery.body, timeoutMs: limits.timeoutMs });',
    replace:
      'const sent = { url: delivery.url, headers, body: delivery.body, timeoutMs: limits.timeoutMs }; const answer = await post(sent); if (answer.outcome === "delivered") await post(sent); return answer;',
  },
  'type-always-paid': {
    bug: 'every webhook is sent as that of a payment',
    file: gateway('roles/notifier/sign'),
    find: '[headerNames.eventType]: delivery.status',
    replace: "[headerNames.eventType]: 'PAID'",
  },
  'first-attempt-an-hour-late': {
    bug: 'an event is due for the first time an hour after it was written',
    file: gateway('db/tables/deliveries/outbox'),
    find: 'ELSE created_at_ms END',
    replace: 'ELSE created_at_ms + 3600000 END',
  },
  'signed-over-the-body-alone': {
    bug: 'the signature of a webhook leaves the time out',
    file: gateway('roles/notifier/sign'),
    find: "signedBytes(Buffer.from(delivery.body, 'utf8'), timestamp, appKey)",
    replace: "signedBytes(Buffer.from(delivery.body, 'utf8'), '0', appKey)",
  },
};

export const plants: Readonly<Record<string, Plant>> = {
  ...money,
  ...orders,
  ...lease,
  ...webhooks,
  ...chainPlants,
  ...apiPlants,
  ...outgoingPlants,
  ...energyPlants,
  ...sweepPlants,
};

/** How often the texts of a planted bug occur in the product. Where it is not once, the planted bug has to be fixed here. */
export function timesFound(plant: Plant): number {
  const counts = changesOf(plant).map(({ file, find }) => {
    const source = readFileSync(new URL(`../../../packages/${file}`, import.meta.url), 'utf8');
    return source.split(find).length - 1;
  });
  return counts.find((count) => count !== 1) ?? 1;
}
