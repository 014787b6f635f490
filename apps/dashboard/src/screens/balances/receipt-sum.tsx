// The receipts of a span: what they were worth when they were booked, and how many have no price.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../api/queries.ts';
import { groupDigits, inCents } from '../../format/amounts.ts';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Money } from '../../parts/money.tsx';
import { Card, Fact, Facts, Stack } from '../../parts/page.tsx';
import { language, words } from '../../words/words.ts';

interface ReceiptSumProps {
  readonly which: RequestOf<'balances.sum-receipts'>;
}

/** Fetched apart from the page, which does not wait for it: a large shop has a million receipts. */
export function ReceiptSum({ which }: ReceiptSumProps) {
  const { statement: text } = words;
  const counted = (count: number) => groupDigits(String(count), language);
  const query = useAnswer('balances.sum-receipts', which, { slow: true });
  return (
    <Card title={text.received}>
      <Answer query={query} skeleton={<Bone width="60%" height={96} />}>
        {({ receipts, unpriced, value_usd: value }) => (
          <Stack>
            <Facts figures>
              <Fact name={text.receipts}>{counted(receipts)}</Fact>
              <Fact name={text.worth}>
                <Money amount={inCents(value)} symbol="USD" />
              </Fact>
              {unpriced > 0 && <Fact name={text.unpriced}>{counted(unpriced)}</Fact>}
            </Facts>
            <p>{text.rule}</p>
          </Stack>
        )}
      </Answer>
    </Card>
  );
}
