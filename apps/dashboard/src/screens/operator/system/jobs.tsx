// For operators: which process does which job, and what waits.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from '../../../api/queries.ts';
import { groupDigits } from '../../../format/amounts.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Answer } from '../../../parts/data/answer.tsx';
import { Empty } from '../../../parts/data/empty.tsx';
import { type Column, Table, TableSkeleton } from '../../../parts/data/table.tsx';
import { Page, Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { fill, language, words } from '../../../words/words.ts';
import { Queues } from './queues.tsx';

type Job = ResponseOf<'jobs.list'>['jobs'][number];

export function Jobs() {
  const { jobs: text } = words;
  const query = useAnswer('jobs.list', {}, { every: 5_000 });
  const columns = jobColumns();
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={6} />}>
        {({ jobs, queues }) => (
          <Stack>
            {jobs.length === 0 ? (
              <Empty title={text.empty}>{text.emptyUnder}</Empty>
            ) : (
              <Table label={text.title} columns={columns} rows={jobs} rowKey={({ job }) => job} />
            )}
            <Queues queues={queues} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

/** "watch-ETH" in words; other jobs by their own names. */
function jobText(job: string): string {
  const { kinds } = words.jobs;
  const [kind = '', chain = ''] = /^(watch|pay|collect)-(.+)$/.exec(job)?.slice(1) ?? [];
  const known: Readonly<Record<string, string>> = kinds;
  const text = known[kind];
  return text === undefined ? job : fill(text, { chain });
}

function jobColumns(): readonly Column<Job>[] {
  const { jobs: text } = words;
  return [
    { key: 'job', head: text.job, cell: ({ job }) => <strong>{jobText(job)}</strong> },
    {
      key: 'holder',
      head: text.holder,
      fill: true,
      phone: 'minor',
      cell: ({ holder }) =>
        holder === null ? (
          <Badge tone="part" icon="warning">
            {text.free}
          </Badge>
        ) : (
          <code>{holder}</code>
        ),
    },
    {
      key: 'renewals',
      head: text.renewals,
      end: true,
      phone: 'named',
      cell: ({ renewals }) => groupDigits(String(renewals), language),
    },
    {
      key: 'since',
      head: text.since,
      phone: 'minor',
      cell: ({ since }) => since !== null && <Time at={since} form="relative" />,
    },
  ];
}
