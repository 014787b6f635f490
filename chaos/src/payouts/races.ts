// Two races at the api: many payouts of one balance, of which one may win, and one request sent many times at once.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { Ducat } from '@ducat/sdk';
import type { Chance } from '../chance.ts';
import { unitsOf } from '../reader/checks/check-answer.ts';
import { askPayout, freshRecipient } from './ask-payout.ts';
import type { AskedPayout } from './compare-payouts.ts';
import type { PayoutStage } from './payout-stage.ts';

const RIVALS = 500;
const REPLAYS = 1_000;
const PAID_IN = '50';

/** Runs both races and returns what was asked for. `onWrong` is called where there was not exactly one winner. */
export async function runRaces(
  stage: PayoutStage,
  chance: Chance,
  onWrong: (what: string) => void,
): Promise<readonly AskedPayout[]> {
  const app = stage.apps.at(-1);
  const chain = stage.chains[0];
  const coin = chain?.coins.find(({ contract }) => contract !== null);
  if (app === undefined || chain === undefined || coin === undefined)
    throw new Error('there is nobody to race');
  const client = new Ducat({ baseUrl: stage.apiUrl, ...app, timeoutMs: 60_000, maxRetries: 0 });
  const fill = async (number: string) => {
    const body = { out_trade_no: number, currency_id: coin.currencyId, token_amount: PAID_IN };
    // After a race the api still has the rivals' calls to answer and may refuse. The same number is the same order.
    const order = await waitUntil(
      'an order to be taken',
      () => client.orders.create(body).catch(() => undefined),
      { timeoutMs: 120_000, everyMs: 500 },
    );
    await chain.pay(coin, order.pay_address, unitsOf(PAID_IN, coin.decimals) ?? 0n, chance);
    return waitUntil(
      'the balance to be there',
      async () => {
        const balance = await client.account.balance(coin.currencyId).catch(() => undefined);
        return Number(balance?.operable_balance ?? 0) > 0 && balance?.operable_balance;
      },
      { timeoutMs: 120_000, everyMs: 200 },
    );
  };
  const question = (key: string, amount: string) => {
    return { appId: app.appId, key, chain, coin, amount, to: freshRecipient(chain, chance) };
  };
  const whole = await fill('race-1');
  const rivals = Array.from({ length: RIVALS }, (_, place) => question(`rival-${place}`, whole));
  const raced = await Promise.all(rivals.map((rival) => askPayout(client, rival)));
  const winners = raced.filter(({ tradeNo }) => tradeNo !== null);
  if (winners.length !== 1)
    onWrong(`${winners.length} of ${RIVALS} payouts of the whole balance ${whole} were accepted`);

  const again = question('replay', await fill('race-2'));
  const replays = await Promise.all(Array.from({ length: REPLAYS }, () => askPayout(client, again)));
  const numbers = new Set(replays.map(({ tradeNo }) => tradeNo));
  if (numbers.size !== 1 || numbers.has(null))
    onWrong(`one request, sent ${REPLAYS} times, was answered as ${[...numbers].join(', ')}`);
  return [...raced, ...replays.slice(0, 1)];
}
