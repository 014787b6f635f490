// The sessions of the person, and ending those that they do not know.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Card } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { counted, words } from '../../words/words.ts';
import { browserName } from './browser-name.ts';

type Row = ResponseOf<'sessions.list'>['sessions'][number];

export function Sessions() {
  const { account: text } = words;
  const query = useAnswer('sessions.list', {});
  const revoke = useAct('sessions.revoke', () => say(text.endedOne));
  const revokeOthers = useAct('sessions.revoke-others', ({ ended }) => say(counted(text.ended, ended)));
  const columns = sessionColumns((id) => revoke.mutate({ session_id: id }));
  return (
    <Card
      title={text.sessions}
      bare
      action={
        (query.data?.sessions.length ?? 0) > 1 && (
          <Button busy={revokeOthers.isPending} onClick={() => revokeOthers.mutate({})}>
            {text.endOthers}
          </Button>
        )
      }
    >
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={3} bare />}>
        {({ sessions }) => (
          <Table
            label={text.sessions}
            columns={columns}
            rows={sessions}
            rowKey={(row) => row.session_id}
            bare
          />
        )}
      </Answer>
    </Card>
  );
}

function sessionColumns(onEnd: (id: string) => void): readonly Column<Row>[] {
  const { account: text } = words;
  return [
    {
      key: 'browser',
      head: text.browser,
      name: true,
      cell: ({ user_agent: agent }) => <bdi title={agent}>{browserName(agent)}</bdi>,
    },
    { key: 'address', head: text.address, phone: 'minor', cell: ({ address }) => address },
    {
      key: 'seen',
      head: text.lastSeen,
      phone: 'minor',
      cell: ({ seen_at: at }) => <Time at={at} form="relative" />,
    },
    {
      key: 'end',
      head: '',
      end: true,
      cell: ({ session_id: id, is_current: isCurrent }) =>
        isCurrent ? (
          <Badge tone="seen" icon="going">
            {text.thisOne}
          </Badge>
        ) : (
          <Button tone="quiet" onClick={() => onEnd(id)}>
            {text.end}
          </Button>
        ),
    },
  ];
}
