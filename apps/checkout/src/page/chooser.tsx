// The choice of coin and network: a form, so that it works without scripts too.
import type { PageOffer } from '@ducat/contract/checkout-view';
import { useState } from 'preact/hooks';
import { fiatText, withDecimals } from './amounts.ts';
import { spanText } from './durations.ts';
import { fill } from './fill.ts';
import { Digits } from './in-groups.tsx';
import type { Actions, PageModel } from './model.ts';

/** With more offers than this, the list has a search field. */
const MANY = 8;

interface Props {
  readonly model: PageModel;
  readonly actions: Actions;
}

export function Chooser({ model, actions }: Props) {
  const { words, view, base, language } = model;
  const offers = inOrder(model);
  const [sought, seek] = useState('');
  const [isBusy, setBusy] = useState(false);
  const found = offers.filter((offer) => fits(offer, sought));
  const first = model.isChanging ? view.currency.currency_id : (offers[0]?.currency_id ?? 0);
  const submit = (event: SubmitEvent) => {
    if (actions === null) return;
    event.preventDefault();
    // The target of a submit event is its form.
    const chosen = new FormData(event.currentTarget as HTMLFormElement).get('currency_id');
    if (chosen === null) return;
    setBusy(true);
    void actions.choose(Number(chosen)).finally(() => setBusy(false));
  };
  return (
    <form method="post" action={`${base}/${view.trade_no}/choose`} onSubmit={submit} class="chooser">
      <input type="hidden" name="lang" value={language} />
      <h2>{words.choose_title}</h2>
      <p class="quiet">{words.choose_line}</p>
      {offers.length > MANY ? (
        <input
          class="search by-script"
          type="search"
          placeholder={words.search}
          aria-label={words.search}
          value={sought}
          onInput={(event) => seek(event.currentTarget.value)}
        />
      ) : null}
      <div class="offers" role="radiogroup" aria-label={words.choose_title} tabIndex={-1}>
        {found.map((offer) => (
          <Offer key={offer.currency_id} offer={offer} model={model} isFirst={offer.currency_id === first} />
        ))}
      </div>
      <div class="sticky">
        <button class="primary" disabled={isBusy} aria-busy={isBusy}>
          {words.proceed}
        </button>
      </div>
    </form>
  );
}

function Offer({
  offer,
  model,
  isFirst,
}: {
  readonly offer: PageOffer;
  readonly model: PageModel;
  readonly isFirst: boolean;
}) {
  const { words, base, language, lastUsed } = model;
  const arrival = spanText(language, (offer.need_confirms * offer.block_time_ms) / 1_000);
  const hints = [fill(words.about, { time: arrival }), feeText(offer, model)];
  return (
    <label class="offer">
      <input type="radio" name="currency_id" value={offer.currency_id} defaultChecked={isFirst} required />
      <img src={`${base}/logos/${offer.currency_id}.svg`} alt="" width="32" height="32" />
      <span class="offer-name">
        <bdi>
          <b>{offer.token}</b> <span class="tag">{offer.network}</span>
        </bdi>
        <small>
          {hints.join(' · ')}
          {offer.currency_id === lastUsed ? ` · ${words.last_used}` : ''}
        </small>
      </span>
      <span class="offer-sum" dir="ltr">
        <Digits amount={offer.amount} />
      </span>
    </label>
  );
}

/** The currency that this payer chose last stands first, then the currencies that most people have. */
function inOrder({ offers, lastUsed }: PageModel): readonly PageOffer[] {
  const rank = ({ currency_id: id, token, contract }: PageOffer) => {
    if (id === lastUsed) return 0;
    if (token === 'USDT' || token === 'USDC') return 1;
    return contract === '' ? 2 : 3;
  };
  // All offers get the same number of decimals, whichever of them a search finds later.
  const amounts = withDecimals(offers.map(({ amount }) => amount));
  return offers
    .map((offer, place) => ({ ...offer, amount: amounts[place] ?? offer.amount }))
    .sort((a, b) => rank(a) - rank(b));
}

function fits({ token, network, chain }: PageOffer, sought: string): boolean {
  return `${token} ${network} ${chain}`.toLowerCase().includes(sought.trim().toLowerCase());
}

/** A hint, because only the payer's wallet knows the fee. Without a current figure, the usual level of the network. */
function feeText({ fee, chain }: PageOffer, { words, language, view }: PageModel): string {
  if (fee === '' || view.fiat === null) return words[usualFee(chain)];
  return fill(words.fee_about, { fee: fiatText(language, { name: view.fiat.name, amount: fee }) });
}

function usualFee(chain: string): 'fee_low' | 'fee_middle' | 'fee_high' {
  if (chain === 'ETH') return 'fee_high';
  return chain === 'Tron' ? 'fee_middle' : 'fee_low';
}
