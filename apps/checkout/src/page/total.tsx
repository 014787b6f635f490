// What the order costs: in fiat before the choice, afterwards what has to be sent, and on which network.
import { fiatText } from './amounts.ts';
import { fill } from './fill.ts';
import { Digits } from './in-groups.tsx';
import type { Actions, PageModel } from './model.ts';

interface Props {
  readonly model: PageModel;
  readonly actions: Actions;
}

export function Total({ model, actions }: Props) {
  const { view, words, language } = model;
  const fiat = view.fiat === null ? '' : fiatText(language, view.fiat);
  const isFiatFirst = view.state === 'choose' && fiat !== '' && model.offers.length > 0;
  return (
    <div class="total">
      <p class="figure" dir="ltr" translate={false}>
        {isFiatFirst ? <bdi>{fiat}</bdi> : <Digits amount={view.amount} />}{' '}
        {isFiatFirst ? null : <span class="unit">{view.currency.token}</span>}
      </p>
      {isFiatFirst ? null : <Network model={model} actions={actions} />}
      <p class="quiet">
        {isFiatFirst || fiat === '' ? null : <bdi>{fiat}</bdi>}
        {isFiatFirst || fiat === '' ? null : ' · '}
        <bdi>{fill(words.order, { number: view.order })}</bdi>
      </p>
      {view.subject === '' ? null : (
        <p class="quiet">
          <bdi>{view.subject}</bdi>
        </p>
      )}
    </div>
  );
}

function Network({ model, actions }: Props) {
  const { view, words, base, language, isChanging } = model;
  const { currency } = view;
  const name =
    currency.chain === currency.network ? currency.network : `${currency.chain} (${currency.network})`;
  const change = (event: MouseEvent) => {
    if (actions === null) return;
    event.preventDefault();
    actions.change(true);
  };
  return (
    <p class="network">
      <img src={`${base}/logos/${currency.currency_id}.svg`} alt="" width="20" height="20" />
      <bdi>{fill(words.on_network, { network: name })}</bdi>
      {view.can_change && !isChanging && view.state !== 'choose' ? (
        <a class="change" href={`${base}/${view.trade_no}?lang=${language}&change=1`} onClick={change}>
          {words.change}
        </a>
      ) : null}
    </p>
  );
}
