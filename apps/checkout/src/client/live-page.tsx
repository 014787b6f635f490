// The page in a browser: what the gateway says, what the clock says, what wallets are there, and what the payer does.
import type { CheckoutView } from '@ducat/contract/checkout-view';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { isMore } from '../page/amounts.ts';
import { fill } from '../page/fill.ts';
import type { PageActions, PageData, PageModel } from '../page/model.ts';
import { Page } from '../page/page.tsx';
import { withUnit } from '../page/status.tsx';
import { isCurrent, postChoice } from './ask-gateway.ts';
import { openFrame } from './frame.ts';
import type { Sandbox } from './sandbox.tsx';
import { type LiveOrder, useOrder } from './use-order.ts';
import { useWallets, type Wallets } from './use-wallets.ts';

export function LivePage({ data }: { readonly data: PageData }) {
  const order = useOrder(addressOf(data), data);
  const { view } = order.state;
  const isLive = order.following !== null;
  const wallets = useWallets(view);
  const frame = useMemo(() => openFrame(data.frameOrigins), []);
  const doing = useDoing(data, order, wallets);
  useEffect(() => frame.report(view), [view.state]);
  const model: PageModel = {
    ...data,
    ...order.state,
    ...doing.shown,
    now: order.now,
    isLive,
    isOffline: order.isOffline,
    isFramed: frame.isFramed,
    wallets: wallets.found,
    leavesIn: useLeaving(data, view, frame.isFramed),
    timeZone: isLive ? undefined : 'UTC',
  };
  const Panel = useSandbox(data.faucet);
  return (
    <>
      <Page model={model} actions={isLive ? doing.actions : null} />
      {Panel === null ? null : <Panel faucet={data.faucet} state={{ ...order.state, now: order.now }} />}
    </>
  );
}

type SandboxPanel = typeof Sandbox;

/** Loads the panel from a file of its own, so that no payer of a real order loads it. */
function useSandbox(faucet: string): SandboxPanel | null {
  const [panel, setPanel] = useState<{ readonly Sandbox: SandboxPanel } | null>(null);
  useEffect(() => {
    if (faucet !== '') void import('./sandbox.tsx').then(setPanel);
  }, []);
  return panel?.Sandbox ?? null;
}

interface Doing {
  readonly shown: Pick<PageModel, 'isChanging' | 'refused' | 'note'>;
  readonly actions: PageActions;
}

/** The actions of the payer, and what the page shows in response. */
function useDoing(data: PageData, { state, following }: LiveOrder, wallets: Wallets): Doing {
  const { view } = state;
  const [isChanging, setChanging] = useState(data.isChanging);
  const [refused, setRefused] = useState(data.refused);
  const [note, setNote] = useState('');
  useEffect(() => {
    if (view.state !== 'waiting' && view.state !== 'part') setNote('');
  }, [view.state]);
  const choose = async (currencyId: number) => {
    const take = following?.begin();
    const answer = await postChoice(addressOf(data), currencyId);
    setRefused(answer.refused);
    if (answer.state === null) return;
    setNote(renewedNote(data, answer.state.view));
    // The stream said something meanwhile, mostly of this choice, but perhaps of the time before.
    if (take?.(answer.state) === false) await following?.ask();
    setChanging(false);
  };
  const pay = async (walletId: string) => {
    setNote('');
    const outcome = await payChecked(data, view, () => wallets.pay(walletId));
    setNote(fill(data.words[outcome], { network: view.currency.network }));
    if (outcome === 'changed') await following?.ask();
  };
  const print = () => window.print();
  return {
    shown: { isChanging, refused, note },
    actions: { change: setChanging, print, choose, pay: (walletId) => void pay(walletId) },
  };
}

type Outcome = Awaited<ReturnType<Wallets['pay']>> | 'changed';

/** Compares the payment details with the gateway's first, so that a wallet is handed current details only. */
async function payChecked(
  data: PageData,
  shown: CheckoutView,
  pay: () => ReturnType<Wallets['pay']>,
): Promise<Outcome> {
  try {
    return (await isCurrent(addressOf(data), shown)) ? await pay() : 'changed';
  } catch {
    return 'wallet_failed';
  }
}

/** The note for a payer whose fresh quote is more than the approximate cost in the list; "" where it is not. */
function renewedNote({ offers, words }: PageData, view: CheckoutView): string {
  const { currency_id: id, decimals } = view.currency;
  const shown = offers.find((offer) => offer.currency_id === id)?.amount ?? '';
  if (shown === '' || !isMore(view.amount, shown, decimals)) return '';
  return fill(words.renewed, { amount: withUnit(view.amount, view) });
}

/** The time to read "paid" before the page goes back to the shop. */
const LEAVES_AFTER_S = 5;

/**
 * Seconds until the page goes back to the shop. Null where it stays: in a frame, without an address to go to, or where the
 * order was paid already when the page was opened.
 */
function useLeaving(data: PageData, view: CheckoutView, isFramed: boolean): number | null {
  const [left, setLeft] = useState<number | null>(null);
  const isJustPaid = view.state === 'paid' && data.view.state !== 'paid';
  useEffect(() => {
    if (isJustPaid && view.redirect_url !== '' && !isFramed) setLeft(LEAVES_AFTER_S);
  }, [isJustPaid]);
  useEffect(() => {
    if (left === 0) location.assign(view.redirect_url);
    if (left === null || left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}

function addressOf({ base, view }: PageData): string {
  return `${base}/${view.trade_no}`;
}
