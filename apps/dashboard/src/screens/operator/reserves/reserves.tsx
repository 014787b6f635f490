// For operators: what is held against what is owed, and whether the books agree with the chains.
import { useCurrencies } from '../../../api/currencies.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { Page, Stack } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';
import { Checks } from './checks.tsx';
import { History } from './history.tsx';
import { OutflowList } from './outflow-list.tsx';
import { Differences, Findings, Outflows, ReserveList } from './reserve-lists.tsx';
import { Verdict } from './verdict.tsx';

export function Reserves() {
  const { reserves: text } = words;
  const query = useAnswer('reserves.read', {}, { every: 30_000 });
  const currencies = useCurrencies();
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<Bone width="100%" height={320} />}>
        {(answer) => (
          <Stack>
            <Verdict answer={answer} />
            <ReserveList answer={answer} currencies={currencies} />
            <Findings answer={answer} />
            <Differences answer={answer} currencies={currencies} />
            <Outflows answer={answer} currencies={currencies} />
            {answer.outflows.length > 0 && <OutflowList currencies={currencies} />}
            <Checks answer={answer} currencies={currencies} />
            <History currencies={currencies} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}
