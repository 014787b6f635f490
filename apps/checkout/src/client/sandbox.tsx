// The sandbox panel: pays the order from the faucet of the demo, in each way that an integrator has to be ready for.
import type { CheckoutState, CheckoutView } from '@ducat/contract/checkout-view';
import { useEffect, useState } from 'preact/hooks';
import { unitsOf } from '../page/amounts.ts';

interface Props {
  readonly faucet: string;
  readonly state: CheckoutState;
}

interface Payment {
  readonly label: string;
  /** The share of the missing amount, in percent. */
  readonly percent: bigint;
  readonly way?: 'contract' | 'other-token' | 'reorg';
  readonly isLate?: true;
}

/** In English alone, because the panel is for developers. */
const PAYMENTS: readonly Payment[] = [
  { label: 'In full', percent: 100n },
  { label: 'Half of it', percent: 50n },
  { label: 'Twice as much', percent: 200n },
  { label: 'After the deadline', percent: 100n, isLate: true },
  { label: 'In a wrong token', percent: 100n, way: 'other-token' },
  { label: 'Through a contract', percent: 100n, way: 'contract' },
  { label: 'With a reorg', percent: 100n, way: 'reorg' },
];

/** A late payment is sent LATE_BY_S after the deadline. The faucet keeps a payment for LONGEST_WAIT_S at most. */
const LATE_BY_S = 5;
const LONGEST_WAIT_S = 600;
/** How long a new order is open that is meant to expire. */
const SHORT_S = 65;
const LATE_MARK = '#late';

export function Sandbox({ faucet, state }: Props) {
  const { view, now } = state;
  const [said, say] = useState('');
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<string>) => {
    setBusy(true);
    say('');
    await work().then(say, (error: unknown) => say(error instanceof Error ? error.message : 'Not sent.'));
    setBusy(false);
  };
  const pay = (payment: Payment) => run(() => send(faucet, view, payment));
  const payLate = (payment: Payment) =>
    view.time_expire - now > LONGEST_WAIT_S
      ? run(() => openOrder(faucet, { seconds: SHORT_S, currency_id: view.currency.currency_id }, LATE_MARK))
      : pay(payment);
  useEffect(() => {
    const late = PAYMENTS.find(({ isLate }) => isLate);
    if (location.hash !== LATE_MARK || late === undefined || view.state !== 'waiting') return;
    history.replaceState(null, '', location.pathname + location.search);
    void pay(late);
  }, []);
  const isOpen = ['choose', 'waiting', 'part', 'reorg'].includes(view.state);
  return (
    <aside class="sandbox" lang="en" dir="ltr" aria-label="Sandbox">
      <p>
        <b>Sandbox</b> Pay this order with test coins:
      </p>
      <div class="sandbox-ways">
        {PAYMENTS.map((payment) => (
          <button
            key={payment.label}
            type="button"
            class="secondary"
            disabled={isBusy || (!isOpen && payment.isLate !== true)}
            onClick={() => void (payment.isLate ? payLate(payment) : pay(payment))}
          >
            {payment.label}
          </button>
        ))}
        <button
          type="button"
          class="secondary"
          disabled={isBusy}
          onClick={() => void run(() => openOrder(faucet, {}))}
        >
          New order
        </button>
      </div>
      <p role="status">{said}</p>
    </aside>
  );
}

async function send(faucet: string, view: CheckoutView, { percent, way, isLate }: Payment): Promise<string> {
  const { currency_id, decimals } = view.currency;
  const units = (unitsOf(view.missing, decimals) * percent) / 100n;
  const { txid } = await ask(faucet, '', {
    currency_id,
    to: view.address,
    amount: decimalOf(units, decimals),
    ...(way === undefined ? {} : { way }),
    ...(isLate ? { not_before: view.time_expire + LATE_BY_S } : {}),
  });
  return txid === '' ? 'It will be sent after the deadline. Keep this page open.' : `Sent: ${txid}`;
}

async function openOrder(faucet: string, order: object, mark = ''): Promise<string> {
  const { entrust_url } = await ask(faucet, 'orders', order);
  location.assign(new URL(`${entrust_url}${mark}`, location.href).href);
  return '';
}

interface Answer {
  readonly txid: string;
  readonly entrust_url: string;
  readonly error?: string;
}

async function ask(faucet: string, path: string, body: object): Promise<Answer> {
  const response = await fetch(new URL(path, `${faucet}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // The demo's own faucet, whose answers have this shape.
  const answer = (await response.json()) as Answer;
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

function decimalOf(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`.replace(
    /\.$/,
    '',
  );
}
