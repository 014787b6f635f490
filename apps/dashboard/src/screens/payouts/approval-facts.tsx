// What an approver agrees to, in the order in which it can go wrong: to whom, how much, at what fee, until when.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Currencies } from '../../api/currencies.ts';
import { groupDigits, trimZeros } from '../../format/amounts.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { counted, fill, language, words } from '../../words/words.ts';
import { PayeeFacts } from './payee-facts.tsx';

interface ApprovalFactsProps {
  readonly shown: ResponseOf<'payouts.approval'>;
  readonly currencies: Currencies;
}

export function ApprovalFacts({ shown, currencies }: ApprovalFactsProps) {
  const { approval: text, payout: of } = words;
  const { payout, signed, to_listed_since: listed, to_used: used, day_limit_usd: limit } = shown;
  return (
    <>
      <Facts>
        <PayeeFacts payout={payout} currencies={currencies} network={networkText(shown, currencies)} />
        <Fact name={of.receives}>
          <Money amount={trimZeros(payout.receipt, 2)} symbol={currencies.symbol(payout.currency_id)} />
        </Fact>
        <Fact name={of.feeCap}>
          <Money amount={trimZeros(shown.max_fee)} symbol={currencies.symbol(shown.max_fee_currency_id)} />
        </Fact>
        <Fact name={words.payouts.askedBy}>
          <bdi>{payout.asked_by?.name ?? words.payouts.byApi}</bdi>
        </Fact>
        <Fact name={text.operable}>
          <Money amount={trimZeros(shown.operable_after, 2)} symbol={currencies.symbol(payout.currency_id)} />
        </Fact>
        {limit !== null && (
          <Fact name={text.day}>
            {fill(text.dayOf, { value: usd(shown.day_value_usd ?? '0'), limit: usd(limit) })}
          </Fact>
        )}
        <Fact name={text.until}>
          <Time at={shown.until} form="exact" />
        </Fact>
        <Fact name={text.approver}>
          <code>{signed.approver}</code>
        </Fact>
        <Fact name={text.hash} stacked>
          <Copyable text={shown.bytes_hash} label={text.hash} form="groups" />
        </Fact>
      </Facts>
      {used === 0 ? (
        <Notice tone="part">{text.neverUsed}</Notice>
      ) : (
        <Notice tone="calm">{counted(text.used, used)}</Notice>
      )}
      {listed !== null && (
        <p>
          {text.listed} <Time at={listed} />
        </p>
      )}
    </>
  );
}

/** The network by name, and by the chain id that is signed. */
function networkText({ payout, signed }: ApprovalFactsProps['shown'], currencies: Currencies): string {
  const chain = currencies.find(payout.currency_id)?.chain ?? '';
  const currency = currencies.name(payout.currency_id);
  return fill(words.approval.network, { currency, chain, id: signed.chain_id });
}

function usd(value: string): string {
  return groupDigits(trimZeros(value, 2), language);
}
