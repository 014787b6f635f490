// How to pay: the code, amount and address to copy, the two warnings that save money, and wallets of this browser.
import { useState } from 'preact/hooks';
import { CopyRow } from './copy-row.tsx';
import { fill } from './fill.ts';
import { Icon } from './icon.tsx';
import type { Actions, PageModel, WalletChoice } from './model.ts';
import { payLink } from './pay-link.ts';
import { Qr } from './qr.tsx';
import { withUnit } from './status.tsx';

interface Props {
  readonly model: PageModel;
  readonly actions: Actions;
}

/** Pays the amount that is still missing: all of it, or the rest. */
export function PayPanel({ model, actions }: Props) {
  const { view, words } = model;
  const { currency } = view;
  return (
    <div class="pay">
      <p class="note" role="alert">
        {model.note}
      </p>
      <div class="to-send">
        <Code model={model} />
        <CopyRow
          kind="amount"
          label={words.amount}
          value={view.missing}
          unit={currency.token}
          words={words}
        />
        <CopyRow kind="address" label={words.address} value={view.address} words={words} />
      </div>
      <div class="hint warn">
        <Icon name="warn" />
        <p>
          <b>{fill(words.network_title, { network: currency.network })}</b> {words.network_line}
        </p>
      </div>
      <details class="hint">
        <summary>{words.exchange_title}</summary>
        <p>{fill(words.exchange_line, { amount: withUnit(view.missing, view) })}</p>
      </details>
      <Wallets model={model} actions={actions} />
    </div>
  );
}

/**
 * The QR code holds the plain address by default, because some wallets read a token's link as a payment to the token's
 * contract.
 */
function Code({ model }: { readonly model: PageModel }) {
  const { view, words } = model;
  const link = payLink(view);
  const [hasAmount, setAmount] = useState(false);
  const isLink = hasAmount && link !== '';
  return (
    <div class="code" data-link={link !== ''}>
      <Qr text={isLink ? link : view.address} label={`${words.address}: ${view.address}`} />
      <div class="code-ways">
        <p class="label">{words.scan}</p>
        {link === '' ? null : (
          <div class="switch by-script" role="group" aria-label={words.scan}>
            <button type="button" aria-pressed={!hasAmount} onClick={() => setAmount(false)}>
              {words.qr_address}
            </button>
            <button type="button" aria-pressed={hasAmount} onClick={() => setAmount(true)}>
              {words.qr_link}
            </button>
          </div>
        )}
        {isLink ? <p class="quiet small">{words.qr_hint}</p> : null}
        {link === '' ? null : (
          <a class="secondary open-wallet" href={link}>
            <Icon name="wallet" />
            {words.open_wallet}
          </a>
        )}
      </div>
    </div>
  );
}

/** Wallets are found after the page was drawn, so their buttons stand where nothing has to move for them. */
function Wallets({ model, actions }: Props) {
  if (actions === null || model.wallets.length === 0) return null;
  return (
    <div class="wallets sticky">
      {model.wallets.map((wallet) => (
        <WalletButton
          key={wallet.id}
          wallet={wallet}
          label={fill(model.words.pay_with, { wallet: wallet.name })}
          actions={actions}
        />
      ))}
    </div>
  );
}

interface WalletProps {
  readonly wallet: WalletChoice;
  readonly label: string;
  readonly actions: NonNullable<Actions>;
}

function WalletButton({ wallet, label, actions }: WalletProps) {
  return (
    <button type="button" class="secondary" onClick={() => actions.pay(wallet.id)}>
      {wallet.icon === '' ? <Icon name="wallet" /> : <img src={wallet.icon} alt="" width="20" height="20" />}
      <bdi>{label}</bdi>
    </button>
  );
}
