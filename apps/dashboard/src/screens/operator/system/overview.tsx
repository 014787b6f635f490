// For operators: the incidents that wait for a person now, each with a link to its page.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/queries.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Answer, Bone } from '../../../parts/data/answer.tsx';
import { Lag } from '../../../parts/lag/lag.tsx';
import { Card, Fact, Facts, Page, Split, Stack } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { fill, words } from '../../../words/words.ts';
import { SetupNotice } from '../../setup/setup-notice.tsx';
import styles from './overview.module.css';
import { PastIncidents } from './past-incidents.tsx';
import { Queues } from './queues.tsx';

type Incident = ResponseOf<'incidents.list'>['incidents'][number];

export function Overview() {
  const { incidents: text } = words;
  const incidents = useAnswer('incidents.list', {}, { every: 10_000 });
  const jobs = useAnswer('jobs.list', {}, { every: 10_000 });
  return (
    <Page title={text.title} under={text.under}>
      <SetupNotice />
      <Split>
        <Answer query={incidents} skeleton={<Bone width="100%" height={240} />}>
          {({ incidents: rows }) => <Incidents rows={rows} />}
        </Answer>
        <Stack>
          <ChainsInShort />
          <Answer query={jobs} skeleton={<Bone width="100%" height={200} />}>
            {({ queues }) => <Queues queues={queues} />}
          </Answer>
        </Stack>
      </Split>
      <PastIncidents />
    </Page>
  );
}

const places: Readonly<Record<Incident['kind'], string>> = {
  'chain-paused': 'chains',
  'chain-behind': 'chains',
  'addition-left-out': 'chains',
  'currency-suspended': 'currencies?show=suspended',
  'sender-stopped': 'wallets',
  'transaction-mismatched': 'outgoing',
  'transaction-stuck': 'outgoing',
  'books-contradict': 'reserves',
  'audit-late': 'reserves',
  'balances-differ': 'reserves',
  'balances-unasked': 'reserves',
  'outflow-unexplained': 'reserves',
  'backup-missing': 'backups',
  'restore-untried': 'backups',
  'archive-stands': 'backups',
};

function Incidents({ rows }: { readonly rows: readonly Incident[] }) {
  const { incidents: text } = words;
  return (
    <Card title={text.now} bare>
      {rows.length === 0 ? (
        <p className={styles['calm']}>
          <Badge tone="paid" icon="done">
            {text.calm}
          </Badge>
          {text.calmUnder}
        </p>
      ) : (
        <ul className={styles['list']}>
          {rows.map((row) => (
            <li key={`${row.kind} ${row.subject} ${row.detail}`}>
              <Link to={`/operator/${places[row.kind]}`}>
                <IncidentText {...row} />
                <ChevronRight size={16} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function IncidentText({ kind, subject, detail, since }: Incident) {
  const { incidents: text } = words;
  return (
    <span className={styles['text']}>
      <strong>{text.kinds[kind]}</strong>
      <bdi>{[subject, detail].filter(Boolean).join(' · ')}</bdi>
      {since !== null && (
        <small>
          {text.since} <Time at={since} form="relative" />
        </small>
      )}
    </span>
  );
}

function ChainsInShort() {
  const { incidents: text } = words;
  const chains = useAnswer('chains.list', {}, { every: 10_000 }).data?.chains.filter(({ is_on: on }) => on);
  if (chains === undefined) return <Bone width="100%" height={120} />;
  const ready = chains.filter(({ is_ready: isReady }) => isReady).length;
  return (
    <Card
      title={text.chains}
      action={
        <Badge
          tone={ready === chains.length ? 'paid' : 'part'}
          icon={ready === chains.length ? 'done' : 'warning'}
        >
          {fill(text.read, { ready, all: chains.length })}
        </Badge>
      }
    >
      <Facts figures>
        {chains.map((each) => (
          <Fact key={each.chain} name={each.chain}>
            <ChainState {...each} />
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

type Chain = ResponseOf<'chains.list'>['chains'][number];

function ChainState({ lag_seconds: lag, halted_reason: reason, is_ready: isReady }: Chain) {
  if (reason !== null)
    return (
      <Badge tone="error" icon="off">
        {words.chains.halted}
      </Badge>
    );
  if (lag === null) return words.chains.none;
  return <Lag seconds={lag} isLate={!isReady} />;
}
