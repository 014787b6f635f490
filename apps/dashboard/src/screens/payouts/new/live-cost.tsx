// What the typed payout would cost now, before it is reviewed. The page asks again while a person looks at it.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { useCurrencies } from '../../../api/currencies.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Refusal } from '../../../api/refusal.ts';
import { Bone } from '../../../parts/data/answer.tsx';
import { refusalText } from '../../../parts/data/failure.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Facts } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { around, words } from '../../../words/words.ts';
import { CostFacts } from './cost-facts.tsx';
import { useSettled } from './use-settled.ts';

type Wish = RequestOf<'payouts.quote'>;

/** The pause in typing after which the cost is asked for. */
const SETTLED_MS = 400;
const ASK_EVERY_MS = 15_000;

/** `wish` is null while a field is still empty. */
export function LiveCost({ wish }: { readonly wish: Wish | null }) {
  const { liveCost: text } = words;
  const settled = useSettled(wish === null ? '' : JSON.stringify(wish), SETTLED_MS);
  const isSettled = wish !== null && settled === JSON.stringify(wish);
  return (
    <Card title={text.title}>
      {wish === null && <p>{text.typeFirst}</p>}
      {wish !== null && (isSettled ? <CostOf wish={wish} /> : <CostComes />)}
    </Card>
  );
}

function CostOf({ wish }: { readonly wish: Wish }) {
  const { liveCost: text } = words;
  const symbol = useCurrencies().symbol(wish.currency_id);
  // A price that was missing a moment ago may be there at the next question.
  const { data: quote, error } = useAnswer('payouts.quote', wish, { every: ASK_EVERY_MS });
  if (error instanceof Refusal && error.field !== null && error.code === 'field-invalid')
    return <p>{text.typeFirst}</p>;
  if (quote === undefined) return error === null ? <CostComes /> : <NoCost error={error} />;
  const [before, behind] = around(text.pricedAt, 'when');
  return (
    <>
      <Facts figures>
        <CostFacts quote={quote} symbol={symbol} />
      </Facts>
      <p>
        {before}
        <Time at={quote.now} form="relative" />
        {behind}
      </p>
      {error !== null && <NoCost error={error} />}
      {quote.refusal !== null && <Notice tone="part">{quote.refusal.message}</Notice>}
      {quote.needs_approval && <Notice tone="part">{words.newPayout.needsApproval}</Notice>}
    </>
  );
}

/** Says that there is no price, no network fee or no answer. The page asks again automatically. */
function NoCost({ error }: { readonly error: Error }) {
  return (
    <Notice tone="part" live>
      {refusalText(error)}
    </Notice>
  );
}

function CostComes() {
  return (
    <div aria-busy="true">
      <Bone width="100%" height={80} />
    </div>
  );
}
