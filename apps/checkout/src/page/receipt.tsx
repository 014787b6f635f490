// What was asked for and what came, transfer by transfer, with the explorer's page of each; printable.
import type { PageTransfer } from '@ducat/contract/checkout-view';
import { timeText } from './durations.ts';
import { fill } from './fill.ts';
import { Icon } from './icon.tsx';
import { Address, Digits } from './in-groups.tsx';
import type { Actions, PageModel } from './model.ts';

interface Props {
  readonly model: PageModel;
  readonly actions: Actions;
  /** Whether the panel above shows amount and address already. */
  readonly isPayable: boolean;
}

const END = 8;

export function Receipt({ model, actions, isPayable }: Props) {
  const { view, words } = model;
  const shown = view.transfers.filter(({ state }) => state !== 'orphaned');
  const foreign = shown.filter(({ counts }) => !counts);
  const isEmpty = shown.length === 0 && isPayable;
  return (
    // Without a name it is no landmark: a screen reader announces none that has nothing in it.
    <section class="receipt" aria-label={isEmpty ? undefined : words.receipt}>
      {foreign.map((transfer) => (
        <p key={transfer.txid} class="hint warn">
          <Icon name="warn" />
          <span>{fill(words.other_coin, { amount: sumOf(transfer), merchant: view.merchant })}</span>
        </p>
      ))}
      {isEmpty ? null : (
        <dl>
          {isPayable ? null : <Asked model={model} />}
          {shown.map((transfer) => (
            <div key={transfer.txid + transfer.amount}>
              <dt>{words.transaction}</dt>
              <dd>
                <b dir="ltr">{sumOf(transfer)}</b>
                <TransactionId transfer={transfer} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {view.state === 'paid' ? (
        <button type="button" class="quiet-button by-script" onClick={() => actions?.print()}>
          {words.print}
        </button>
      ) : null}
      <p class="print-only">
        {view.trade_no} · {timeText(model.language, view.create_time, model.timeZone)}
      </p>
    </section>
  );
}

/** What was asked for, and where it was to go. */
function Asked({ model: { view, words } }: Pick<Props, 'model'>) {
  return (
    <>
      <div>
        <dt>{words.amount}</dt>
        <dd>
          <b dir="ltr">
            <Digits amount={view.amount} /> {view.currency.token}
          </b>
        </dd>
      </div>
      <div>
        <dt>{words.address}</dt>
        <dd>
          <span class="mono" dir="ltr" translate={false}>
            <Address text={view.address} />
          </span>
        </dd>
      </div>
    </>
  );
}

function TransactionId({ transfer: { txid, url } }: { readonly transfer: PageTransfer }) {
  const short = `${txid.slice(0, END)}…${txid.slice(-END)}`;
  if (url === '')
    return (
      <span class="mono" dir="ltr" title={txid}>
        {short}
      </span>
    );
  return (
    <a class="mono" dir="ltr" href={url} target="_blank" rel="noopener noreferrer" title={txid}>
      {short} <Icon name="out" />
    </a>
  );
}

function sumOf({ amount, token, network }: PageTransfer): string {
  return `\u2066${amount} ${token} (${network})\u2069`;
}
