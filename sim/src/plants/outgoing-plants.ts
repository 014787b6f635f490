// Planted bugs of outgoing money. Most show in one scenario; where the signer would refuse, its check is turned off as well.
import type { Plant } from './planted-bug.ts';

const core = (file: string): string => `core/dist/${file}.js`;
const gateway = (file: string): string => `gateway/dist/${file}.js`;

const OTHER_EVM = `'0x${'66'.repeat(20)}'`;
const ON_ETH = 'a token is paid out on ETH';
const DEARER = 'a payout offers more';
const EXPIRES = 'a payout on Tron expires and is built anew';
const FAILS = 'a payout fails';
const ORDER_BACK = 'an order is sent back twice';
const UNASSIGNED_BACK = 'an unassigned receipt is sent back twice';
const RECEIPT_BACK = 'a receipt is sent back twice';
const SECONDED = 'a second person declines what another one approved';
const CANCELLED = 'a person cancels what is on its way';

/** Turns a check off: the signer then signs an intent that differs from what it signed before. */
const asleep = {
  file: 'signer/dist/policy/subject-problem.js',
  find: "if (!before.every((signed) => isSameTransfer(signed, { intent, from })))\n        return 'subject-differs';",
  replace: '',
};

export const outgoingPlants: Readonly<Record<string, Plant>> = {
  'replacement-on-a-new-nonce': {
    bug: 'a transaction that waits too long is sent again on another nonce, and the signer lets it',
    file: gateway('flows/outgoing/prepare-replacement'),
    find: 'intent: { ...intent, fees },',
    replace: 'intent: { ...intent, nonce: intent.nonce + 1, fees },',
    elsewhere: asleep,
    scenario: DEARER,
  },
  'replacement-to-another': {
    bug: 'a replacement goes to another address, and the signer lets it',
    file: gateway('flows/outgoing/prepare-replacement'),
    find: 'intent: { ...intent, fees },',
    replace: `intent: { ...intent, to: ${OTHER_EVM}, fees },`,
    elsewhere: asleep,
    scenario: DEARER,
  },
  'sent-before-it-is-stored': {
    bug: 'signed bytes are sent before they are stored',
    file: gateway('roles/payer/sign-prepared'),
    find: 'answers.push(answered);',
    replace:
      "answers.push(answered); if (answered.kind === 'signed') await payer.writer.broadcast(answered.signed.bytes);",
    scenario: ON_ETH,
  },
  'duplicate-as-success': {
    bug: 'a node that says it knows a transaction is believed for ever',
    file: gateway('roles/payer/send-signed'),
    find: "const waitMs = outcome === 'accepted' ?",
    replace: "const waitMs = /already known|DUP_/.test(text) ? 10 ** 11 : outcome === 'accepted' ?",
    scenario: 'a node lies that it knows a payout',
  },
  'forgotten-is-not-sent-again': {
    bug: 'what was sent once is not sent again, whether nodes still have it or not',
    file: gateway('roles/payer/send-signed'),
    find: 'const isKnown = await writer.knows(signed.txId);',
    replace: "const isKnown = signed.txId !== '';",
    scenario: 'a payout is forgotten by its pool',
  },
  'built-anew-before-it-is-dead': {
    bug: 'on Tron a transaction is built anew while the first could still be included, and the signer lets it',
    file: core('outgoing/outgoing'),
    find: 'return finalTime * 1_000 > expiresAtMs;',
    replace: 'return finalTime * 1_000 > expiresAtMs - 250_000;',
    elsewhere: {
      file: 'signer/dist/policy/subject-problem.js',
      find: "return isOpen ? 'unexpired' : null;",
      replace: 'return null;',
    },
    scenario: EXPIRES,
  },
  'released-twice': {
    bug: 'a payout that fails gives back what it took, twice',
    file: core('payout/transition'),
    find: 'return moved(failed, [bookRelease(failed)],',
    replace:
      "return moved(failed, [bookRelease(failed), { ...bookRelease(failed), reference: failed.tradeNo + '/2' }],",
    scenario: FAILS,
  },
  'never-released': {
    bug: 'a payout that fails keeps what it took',
    file: core('payout/transition'),
    find: 'return moved(failed, [bookRelease(failed)],',
    replace: 'return moved(failed, [],',
    scenario: FAILS,
  },
  'fee-booked-twice': {
    bug: 'the network fee of a transaction is booked twice',
    file: gateway('flows/outgoing/settle-outgoing'),
    find: 'paid.map(({ inclusion, payer }) => bookNetworkFee(inclusion, payer));',
    replace:
      "paid.flatMap(({ inclusion, payer }) => [bookNetworkFee(inclusion, payer), { ...bookNetworkFee(inclusion, payer), reference: inclusion.txId + '/fee/2' }]);",
    scenario: ON_ETH,
  },
  'fee-not-booked': {
    bug: 'the network fee of a transaction is not booked',
    file: gateway('flows/outgoing/settle-outgoing'),
    find: 'const paid = ended.filter(',
    replace: 'const paid = [].filter(',
    scenario: ON_ETH,
  },
  'swept-as-deposit': {
    bug: 'what is collected counts as new money of its app',
    file: core('order/settle-all'),
    find: 'bookOutflow(transfer, from) : bookMove(transfer, from, to);',
    replace: 'bookOutflow(transfer, from) : bookUnassignedReceipt(transfer, to);',
    scenario: ON_ETH,
  },
  'cancelled-after-it-was-sent': {
    bug: 'a payout is cancelled whatever is on its way',
    file: core('payout/transition'),
    find: "if (payout.status !== 'PROGRESS')\n        return standing(payout);\n    // mark: cancelled-only-while-it-waits\n    if (payout.isClaimed && !isWaiting)\n        return { outcome: 'on-its-way' };",
    replace: "if (!payout.status.endsWith('PROGRESS'))\n        return standing(payout);",
    scenario: CANCELLED,
  },
  'sent-back-above-the-order': {
    bug: 'an order is sent back whatever of it went back already',
    file: core('payout/order-refund'),
    find: 'if (compare(amount, left) <= 0)',
    replace: 'if (compare(amount, order.collected) <= 0)',
    scenario: ORDER_BACK,
  },
  'receipt-sent-back-twice': {
    bug: 'a receipt is sent back whatever became of it',
    file: core('payout/open-refund'),
    find: 'if (receipt.isRefunded)',
    replace: 'if (receipt.isRefunded === null)',
    elsewhere: {
      file: core('payout/order-refund'),
      find: 'return isPositive(left) ? left : zero(collected.currencyId);',
      replace: 'return collected;',
    },
    scenario: RECEIPT_BACK,
  },
  'unassigned-sent-back-from-the-balance': {
    bug: 'an unassigned receipt is sent back out of what its app may dispose of',
    file: core('ledger/payout-recipes'),
    find: "return source === 'unassigned' ? unassignedOf(appId) : availableOf(appId);",
    replace: 'return availableOf(appId);',
    scenario: UNASSIGNED_BACK,
  },
  'declined-after-its-approval': {
    bug: 'a second person declines what another one approved',
    file: core('payout/transition'),
    find: "if (isApproved(payout, now))\n        return { outcome: 'approved' };",
    replace: '',
    scenario: SECONDED,
  },
  'reservation-missing': {
    bug: 'a payout is made and nothing is bound for it',
    file: gateway('flows/payouts/create-payout'),
    find: '[bookReservation(payout)]',
    replace: '[]',
    scenario: ON_ETH,
  },
  'failed-is-paid': {
    bug: 'a transaction that moved nothing counts as paid',
    file: core('outgoing/promise'),
    find: "return status === 'failed' ? 'failed' : 'mismatched';",
    replace: "return 'succeeded';",
    scenario: FAILS,
  },
  'ended-before-it-is-final': {
    bug: 'a transaction has ended as soon as a block holds it',
    file: gateway('db/tables/outgoing/endings'),
    find: 'AND NOT i.final AND i.block_number <= $2',
    replace: 'AND NOT i.final AND i.block_number <= $2 + 9',
    scenario: ON_ETH,
  },
  'gap-in-the-nonces': {
    bug: 'a nonce is left out',
    file: gateway('flows/outgoing/prepare-outgoing'),
    find: "nonces.map((nonce) => ({ family: 'evm', nonce }));",
    replace: "nonces.map((nonce) => ({ family: 'evm', nonce: nonce + 1 }));",
    scenario: ON_ETH,
  },
  'collected-to-a-stranger': {
    bug: 'what is collected goes to a stranger, and the signer lets it',
    file: gateway('flows/collections/advance-collection'),
    find: 'const { address: from, wallet: to, gas: feeCap } = collection;',
    replace: `const { address: from, gas: feeCap } = collection; const to = ${OTHER_EVM};`,
    elsewhere: {
      file: 'signer/dist/policy/decide.js',
      find: "return recipient === null || recipient === to ? null : 'destination';",
      replace: 'return null;',
    },
    scenario: ON_ETH,
  },
};
