// What happened, why, and what to do next: one headline and one line for each state.
import type { CheckoutView, PageState } from '@ducat/contract/checkout-view';
import { unitsOf } from './amounts.ts';
import { exactText, spanText } from './durations.ts';
import { fill } from './fill.ts';
import { Icon, type IconName } from './icon.tsx';
import type { PageModel } from './model.ts';

const ICONS: Readonly<Record<PageState, IconName>> = {
  choose: 'clock',
  waiting: 'clock',
  seen: 'eye',
  part: 'part',
  paid: 'check',
  late: 'late',
  short: 'part',
  expired: 'clock',
  reorg: 'turn',
};

interface Said {
  readonly title: string;
  readonly lines: readonly string[];
}

export function Status({ model }: { readonly model: PageModel }) {
  const { state, currency } = model.view;
  const { title, lines } = said(model);
  const { confirmations } = model.view;
  return (
    <div class="status" data-state={state}>
      <div class="status-head" role="status">
        <span class="status-icon">
          <Icon name={ICONS[state]} />
        </span>
        <h2>{title}</h2>
      </div>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {confirmations === null || state === 'late' ? null : (
        <div class="progress">
          <progress max={currency.need_confirms} value={confirmations} aria-label={title} />
          <small dir="ltr">
            {confirmations} / {currency.need_confirms}
          </small>
        </div>
      )}
      {model.leavesIn === null ? null : (
        <p>{fill(model.words.back_in, { time: exactText(model.language, model.leavesIn, 'second') })}</p>
      )}
    </div>
  );
}

function said({ view, words, language }: PageModel): Said {
  const { state, currency, merchant } = view;
  const values = {
    amount: withUnit(view.amount, view),
    missing: withUnit(view.missing, view),
    got: withUnit(view.got, view),
    extra: withUnit(view.extra, view),
    network: currency.network,
    merchant,
    n: view.confirmations ?? 0,
    m: currency.need_confirms,
    time: spanText(language, secondsLeft(view)),
  };
  const say = (title: string, ...lines: readonly string[]): Said => ({
    title: fill(title, values),
    lines: lines.map((line) => fill(line, values)),
  });
  switch (state) {
    case 'choose':
      return say(words.choose_title, words.choose_line);
    case 'waiting':
      return say(words.waiting_title, words.waiting_line);
    case 'seen':
      return say(words.seen_title, words.seen_line);
    case 'part':
      return say(words.part_title, words.part_line);
    case 'paid':
      return unitsOf(view.extra, currency.decimals) > 0n
        ? say(words.over_title, words.over_line)
        : say(words.paid_title, words.paid_line);
    case 'late':
      return say(words.late_title, words.late_line);
    case 'short':
      return say(words.short_title, words.short_line);
    case 'expired':
      return say(words.expired_title, words.expired_not_sent, words.expired_sent);
    case 'reorg':
      return say(words.reorg_title, words.reorg_line);
  }
}

export function withUnit(amount: string, { currency }: CheckoutView): string {
  // Isolated, so that the digits keep their order inside a line that runs from right to left.
  return `\u2066${amount} ${currency.token}\u2069`;
}

function secondsLeft({ confirmations, currency }: CheckoutView): number {
  return ((currency.need_confirms - (confirmations ?? 0)) * currency.block_time_ms) / 1_000;
}
