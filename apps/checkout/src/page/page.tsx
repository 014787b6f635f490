// The whole page: the order on one side, what to do now on the other. Only the second side changes with the state.
import { payerContactLink } from '@ducat/contract/fields/payer-contact';
import type { Words } from '../words/en.ts';
import { languages } from '../words/languages.ts';
import { Chooser } from './chooser.tsx';
import { clockText, timeText } from './durations.ts';
import { fill } from './fill.ts';
import { Icon } from './icon.tsx';
import type { Actions, PageModel } from './model.ts';
import { PayPanel } from './pay-panel.tsx';
import { Receipt } from './receipt.tsx';
import { Status } from './status.tsx';
import { Total } from './total.tsx';

interface Props {
  readonly model: PageModel;
  readonly actions: Actions;
}

export function Page(props: Props) {
  const { model } = props;
  const { view, words } = model;
  return (
    <main class="card" data-state={view.state} data-framed={model.isFramed} data-live={model.isLive}>
      <div class="summary">
        <Head model={model} />
        <Total {...props} />
        <Clock model={model} />
        <p class="foot quiet small">{view.demo ? <span class="tag">{words.demo}</span> : null}</p>
      </div>
      <div class="act">
        {model.isOffline ? (
          <p class="offline" role="alert">
            {fill(words.offline, { time: timeText(model.language, model.now, model.timeZone) })}
          </p>
        ) : null}
        <TestOrder model={model} />
        <Refused model={model} />
        <Act {...props} />
        <Ways model={model} />
      </div>
    </main>
  );
}

function Act({ model, actions }: Props) {
  const { view, isChanging } = model;
  const isAsking = (view.state === 'choose' || (isChanging && view.can_change)) && model.offers.length > 0;
  if (isAsking) return <Chooser model={model} actions={actions} />;
  // Without offers, the order is paid in the currency that it began with.
  const shown = view.state === 'choose' ? { ...model, view: { ...view, state: 'waiting' as const } } : model;
  const isPayable = shown.view.state === 'waiting' || shown.view.state === 'part';
  return (
    <>
      <Status model={shown} />
      {isPayable ? <PayPanel model={shown} actions={actions} /> : null}
      <Receipt model={shown} actions={actions} isPayable={isPayable} />
    </>
  );
}

function Head({ model: { view, language, words, base } }: { readonly model: PageModel }) {
  return (
    <header>
      {view.logo === '' ? (
        <span class="mark" aria-hidden="true">
          {Array.from(view.merchant)[0] ?? ''}
        </span>
      ) : (
        <img class="mark" src={`${base}/logo/${view.logo}`} alt="" width="40" height="40" />
      )}
      <h1>
        <bdi>{view.merchant}</bdi>
      </h1>
      <details class="languages">
        <summary aria-label={`${language.toUpperCase()}: ${words.language}`}>
          {language.toUpperCase()}
        </summary>
        <nav>
          {languages.map(({ code, name }) => (
            <a
              key={code}
              href={`${base}/${view.trade_no}?lang=${code}`}
              lang={code}
              hreflang={code}
              aria-current={code === language}
            >
              {name}
            </a>
          ))}
        </nav>
      </details>
    </header>
  );
}

/** Below this share of the whole time, the clock is emphasised. */
const LOUD_BELOW = 0.25;

function Clock({ model: { view, now, words, language } }: { readonly model: PageModel }) {
  if (view.state !== 'choose' && view.state !== 'waiting' && view.state !== 'part') return null;
  const left = view.time_expire - now;
  const isLoud = left < LOUD_BELOW * (view.time_expire - view.create_time);
  return (
    <p class="clock" data-loud={isLoud}>
      <Icon name="clock" />
      {words.time_left} <time dir="ltr">{clockText(language, left)}</time>
    </p>
  );
}

/**
 * The warning of a test order, above everything that a payer can do. The demo has a tag of its own that its coins are
 * worthless.
 */
function TestOrder({ model: { view, words } }: { readonly model: PageModel }) {
  if (!view.is_test || view.demo) return null;
  return (
    <p class="hint warn">
      <Icon name="warn" />
      <span>{words.test}</span>
    </p>
  );
}

function Refused({ model: { refused, words } }: { readonly model: PageModel }) {
  if (refused === '') return null;
  return (
    <p class="hint warn" role="alert">
      <Icon name="warn" />
      <span>
        {refused === 'no-answer' ? (
          <>
            <b>{words.trouble_title}</b>
            <br />
            {words.trouble_line}
          </>
        ) : (
          refusedText(refused, words)
        )}
      </span>
    </p>
  );
}

/** The address of the page may name any reason. */
function refusedText(refused: string, words: Words): string {
  if (refused === 'locked') return words.refused_locked;
  if (refused === 'ended') return words.refused_ended;
  return refused === 'too-often' ? words.refused_often : words.refused_off;
}

/** The next steps: back to the shop, the merchant's contact, and a link that reloads the page when scripts are off. */
function Ways({ model }: { readonly model: PageModel }) {
  const { view, words, base, language, isLive } = model;
  const again = `${base}/${view.trade_no}?lang=${language}`;
  const isBad = ['late', 'short', 'expired', 'part'].includes(view.state);
  const contact = payerContactLink(view.contact);
  const host = view.redirect_url === '' ? '' : new URL(view.redirect_url).host;
  return (
    <footer class="ways">
      {host !== '' && view.state === 'paid' ? (
        <a
          class="primary"
          href={view.redirect_url}
          rel="noreferrer"
          target={model.isFramed ? '_top' : undefined}
        >
          {fill(words.back, { host })}
        </a>
      ) : null}
      {isBad && contact !== null ? (
        <a class="secondary" href={contact} rel="noreferrer">
          <bdi>{fill(words.ask, { merchant: view.merchant })}</bdi>
        </a>
      ) : null}
      {isBad ? (
        <p class="quiet small">
          <bdi>{fill(words.keep, { number: view.order })}</bdi>
        </p>
      ) : null}
      {isLive ? null : (
        <noscript>
          <a class="secondary" href={again}>
            {words.check_again}
          </a>
        </noscript>
      )}
    </footer>
  );
}
