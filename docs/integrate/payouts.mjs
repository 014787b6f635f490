// Takes orders on the running demo and pays the money out again, as a merchant's server does with the SDK.
//   node docs/integrate/payouts.mjs [SYMBOL@CHAIN …]
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Ducat } from '@ducat/sdk';
import { nodeWebhook } from '@ducat/sdk/webhooks';

const EVERYTHING = ['USDT@ETH', 'USDT@BSC', 'USDT@WKC', 'USDT@Tron', 'ETH@ETH', 'TRX@Tron'];
const wanted = process.argv.length > 2 ? process.argv.slice(2) : EVERYTHING;
/** Paid in and paid out. An app pays out at most 10,000 USD at a time unless its operator says otherwise. */
const amounts = { 'ETH@ETH': ['2', '1.5'] };
const usual = ['100', '60'];

const say = (line) => void process.stdout.write(`${line}\n`);
const demo = JSON.parse(execFileSync('npx', ['ducat', 'demo', '--json'], { encoding: 'utf8' }));
const { app_id: appId, app_key: appKey, base_url: baseUrl } = demo;
const ducat = new Ducat({ baseUrl, appId, appKey });

/** The newest webhook of each order and payout, by its trade_no. */
const received = new Map();
const server = createServer(
  nodeWebhook({
    appId,
    appKey,
    onEvent: ({ body }) => {
      received.set(body.trade_no, body);
      say(`webhook  ${body.type} ${body.status} ${body.trade_no}`);
    },
    onError: (error) => say(`refused  ${String(error)}`),
  }),
);
await once(server.listen(0, '127.0.0.1'), 'listening');
const callback_url = `http://127.0.0.1:${server.address().port}/webhook`;

const rows = await Promise.all(wanted.map(payInAndOut));
server.close();
server.closeAllConnections();
say('');
for (const row of rows) say(row.join('  '));

async function payInAndOut(name, place) {
  const [symbol, chainName] = name.split('@');
  const [paidIn, paidOut] = amounts[name] ?? usual;
  const chain = demo.chains.find((one) => one.chain === chainName);
  const { currency_id } = chain.currencies.find((one) => one.symbol === symbol);
  const number = `${Date.now()}-${place}`;

  // A customer pays.
  const order = await ducat.orders.create({
    out_trade_no: `order-${number}`,
    currency_id,
    token_amount: paidIn,
    callback_url,
  });
  await faucet({ currency_id, to: order.pay_address, amount: order.amount });
  await webhookOf(order.trade_no, 'PAID');

  // Some of it goes out. The gateway collects it from the order's address first; nothing has to be asked for that.
  const to_address = addressOn(chain);
  const payout = await ducat.payouts.create(
    { currency_id, amount: paidOut, to_address, callback_url },
    { idempotencyKey: `payout-${number}` },
  );
  say(`payout   ${paidOut} ${name} to ${to_address}, cost ${payout.cost}: ${payout.trade_no}`);
  const { txid } = await webhookOf(payout.trade_no, 'PAID');
  const { status } = await ducat.payouts.detail(payout.trade_no);
  return [name.padEnd(9), status, payout.actual_receipt, `cost ${payout.cost}`, txid];
}

/** Waits for as long as a payout on Tron takes: three transfers, each final after 19 blocks. */
async function webhookOf(tradeNo, status) {
  const until = Date.now() + 300_000;
  while (received.get(tradeNo)?.status !== status) {
    if (received.get(tradeNo)?.status === 'FAIL' || Date.now() > until)
      throw new Error(`no ${status} of ${tradeNo}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return received.get(tradeNo);
}

/** An EVM address that was never used; on Tron, whose addresses have a checksum, the customer's. */
function addressOn({ family, payer }) {
  return family === 'evm' ? `0x${randomBytes(20).toString('hex')}` : payer.address;
}

async function faucet(wish) {
  const answer = await fetch(demo.faucet_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  const { txid, error } = await answer.json();
  if (txid === undefined) throw new Error(error);
}
