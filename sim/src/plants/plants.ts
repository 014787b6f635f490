// The planted bugs: each changes one text of the compiled product, which must stand there exactly once.
import { readFileSync } from 'node:fs';
import { apiPlants } from './api-plants.ts';
import { chainPlants } from './chain-plants.ts';

export interface Plant {
  /** What the product does wrong, in words. */
  readonly bug: string;
  /** Below `packages/`, compiled. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** A second change of the same file. */
  readonly also?: { readonly find: string; readonly replace: string };
  /** Statements that change the schema, where a constraint would stop the bug. */
  readonly change?: readonly string[];
}

const core = (file: string): string => `core/dist/${file}.js`;
const gateway = (file: string): string => `gateway/dist/${file}.js`;

const money: Readonly<Record<string, Plant>> = {
  'credit-before-final': {
    bug: 'the count of confirmations alone makes money final, whatever the chain says',
    file: gateway('chains/endpoint/agree-final'),
    find: 'height: Math.min(height, atMost, finalByCount(definition, head)),',
    replace: 'height: atMost,',
  },
  'one-confirmation-too-few': {
    bug: 'a block counts as final one confirmation too early',
    file: core('chain/chain'),
    find: 'return head - chain.confirmations + 1;',
    replace: 'return head - chain.confirmations + 2;',
  },
  'one-vote-for-final': {
    bug: 'the word of one endpoint makes a block final, although more are configured',
    file: gateway('chains/endpoint/agree-final'),
    find: 'const needed = Math.min(2, endpoints.count);',
    replace: 'const needed = 1;',
  },
  'final-hash-not-compared': {
    bug: 'what is final is settled by its height, whatever block stands there in the books',
    file: gateway('flows/blocks/accept-block'),
    find: 'return own.hash === final.hash ?',
    replace: 'return own.hash !== null ?',
  },
  'block-wide-position': {
    bug: 'a token transfer is known by its log index in the block instead of in its transaction',
    file: gateway('chains/evm/token-transfers'),
    find: 'position: `log:${index}`',
    replace: 'position: `log:${Number(log.logIndex)}`',
  },
  'position-forgotten': {
    bug: 'one transaction is taken for one payment: the second movement in it is dropped',
    file: gateway('db/tables/transfers'),
    find: 'FROM incoming JOIN addresses ON family = $1 AND address = to_address',
    replace: 'FROM incoming JOIN addresses ON family = $1 AND address = to_address AND ordinal = 1',
  },
  'ancestor-revert-ignored': {
    bug: 'value in a call below one that failed counts as moved',
    file: gateway('chains/evm/native-transfers'),
    find: 'if (isFailed(child))\n            continue;',
    replace: '',
  },
  'failed-transaction-counts': {
    bug: 'what a failed transaction meant to move counts as moved',
    file: gateway('chains/evm/executed-block'),
    find: "const succeeded = receipt.status === '0x1';",
    replace: 'const succeeded = true;',
  },
  'nft-counts-as-token': {
    bug: 'any event whose first topic is that of a transfer counts, whatever its shape',
    file: gateway('chains/evm/token-transfers'),
    find: 'if (log.topics.length !== 3 || log.topics[0]?.toLowerCase() !== transferTopic)\n            continue;',
    replace:
      'if (log.topics[0]?.toLowerCase() !== transferTopic) continue;\n        if (log.topics.length === 4) { movements.push({ currency: watched.get(log.address.toLowerCase()) ?? [...watched.values()][0], position: `log:${index}`, from: addressOf(log.topics[1]), to: addressOf(log.topics[2]), units: BigInt(log.topics[3]) }); continue; }',
  },
  'inner-value-not-seen': {
    bug: 'value that contracts send is not looked for',
    file: gateway('chains/evm/executed-block'),
    find: 'mayMoveInside: succeeded && !plain',
    replace: 'mayMoveInside: false',
  },
  'inner-value-by-one-voice': {
    bug: 'one endpoint alone is believed about value inside transactions',
    file: gateway('chains/evm/agree-inner'),
    find: 'if (first.value.size === 0 || endpoints.count < needed)',
    replace: 'if (first.value.size >= 0)',
  },
  'receipts-not-proven': {
    bug: 'receipts are believed without computing their root',
    file: gateway('chains/evm/read-block'),
    find: 'if (receiptsRoot(receipts) !== block.receiptsRoot.toLowerCase())',
    replace: 'if (receipts.length > 1_000_000)',
  },
  'final-block-not-read-again': {
    bug: 'a block that does not prove itself counts as it was first read',
    file: gateway('db/tables/transfers'),
    find: 'return rows[0]?.differences ?? 0;',
    replace: 'return 0;',
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
    file: gateway('db/tables/transfers'),
    find: "    WHERE known.state = 'orphaned'\n    RETURNING 1",
    replace: "    WHERE known.state = 'never'\n    RETURNING 1",
  },
  'booked-twice': {
    bug: 'a settled transfer is not marked, and no unique key stops the second booking',
    file: gateway('flows/blocks/accept-block'),
    find: 'await markFinal(tx, settled.dispositions);',
    replace: '',
    change: [
      'ALTER TABLE entries DROP CONSTRAINT entries_fact_reference_key',
      'DROP INDEX entries_one_per_transfer',
    ],
  },
  'cursor-apart': {
    bug: 'the head does not move with its block',
    file: gateway('flows/blocks/accept-block'),
    find: 'await moveHead(tx, chain.name, header, nowMs);',
    replace: '',
  },
  'batch-forgets-transfers': {
    bug: 'of blocks that are taken together, only the transfers of the first are booked',
    file: gateway('flows/blocks/accept-plain-blocks'),
    find: 'await insertTransfers(tx, chain.family, kept);',
    replace: 'await insertTransfers(tx, chain.family, kept.slice(0, 1));',
  },
  'batch-keeps-head': {
    bug: 'the head does not move with blocks that are taken together',
    file: gateway('flows/blocks/accept-plain-blocks'),
    find: 'await moveHead(tx, chain.name, tip, nowMs);',
    replace: '',
  },
  'block-in-parts': {
    bug: 'what a block holds is committed apart from the block: the flow writes nothing of its transfers',
    file: gateway('roles/watcher/watch-chain'),
    find: 'acceptBlock(tx, { chain: definition, header, transfers, final,',
    replace:
      'acceptBlock(tx, { chain: definition, header, transfers: header.number % 3 === 0 ? [] : transfers, final,',
  },
  'collected-overwritten': {
    bug: 'the newest payment takes the place of the sum',
    file: core('order/transition'),
    find: 'collected: add(before.order.collected, transfer.amount)',
    replace: 'collected: transfer.amount',
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
    find: "share(transfer.amount, feePpm, 'down')",
    replace: "share(transfer.amount, feePpm, 'up')",
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
    find: 'entries.push(settlement.entry);',
    replace: "if (settlement.disposition !== 'unassigned') entries.push(settlement.entry);",
  },
};

const orders: Readonly<Record<string, Plant>> = {
  'wall-clock-expiry': {
    bug: 'orders time out by the clock instead of by the final block',
    file: gateway('flows/orders/expire-orders'),
    find: '(await readCursors(tx)).get(input.chain)?.finalTime ?? null',
    replace: 'Math.floor(input.nowMs / 1000)',
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
    find: 'const late = transfer.block.time > order.timeExpire;',
    replace: 'const late = false;',
  },
  'unique-key-dropped': {
    bug: 'nothing stops a second order under the same out_trade_no',
    file: gateway('roles/api/endpoints/create-order'),
    find: 'if (standing !== null)\n        return answer(call, standing, inputHash);',
    replace: '',
    change: ['ALTER TABLE order_keys DROP CONSTRAINT order_keys_pkey'],
  },
  'address-shared': {
    bug: 'two orders may get the same address',
    file: gateway('db/tables/orders/orders'),
    find: 'trade_no IS NULL AND NOT retired\n      ORDER BY app_id, family, address_id LIMIT 1 FOR UPDATE SKIP LOCKED',
    replace: 'NOT retired\n      ORDER BY app_id, family, address_id LIMIT 1',
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
    file: gateway('roles/watcher/watch-chain'),
    find: 'const accepted = await transact((tx) => acceptBlock(tx, {',
    replace: `let late = [];
    const accepted = await transact((tx) => acceptBlock({ read: tx.read, write: (sql, values) => sql.includes('INSERT INTO events') ? (late.push([sql, values]), Promise.resolve([])) : tx.write(sql, values) }, {`,
    also: {
      find: 'const noteworthy =',
      replace:
        'for (const [sql, values] of late) await transact((tx) => tx.write(sql, values));\n    const noteworthy =',
    },
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
  'ladder-too-steep': {
    bug: 'a webhook is tried again one rung too early',
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
      'const sent = { url: delivery.url, headers, body: delivery.body, timeoutMs: limits.timeoutMs }; const told = await post(sent); if (told.outcome === "delivered") await post(sent); return told;',
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
};

/** How often the text of a planted bug stands in the product; anything but once has to be mended here. */
export function timesFound({ file, find, also }: Plant): number {
  const source = readFileSync(new URL(`../../../packages/${file}`, import.meta.url), 'utf8');
  const times = (text: string): number => source.split(text).length - 1;
  return also === undefined || times(also.find) === 1 ? times(find) : times(also.find);
}
