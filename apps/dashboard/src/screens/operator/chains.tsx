// For operators: how each chain is read, and pausing or resuming one.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { RowMenu } from '../../parts/data/row-menu.tsx';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { WithReason } from '../../parts/data/with-reason.tsx';
import { Lag } from '../../parts/lag/lag.tsx';
import { MenuItem } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, language, words } from '../../words/words.ts';
import { Added } from './additions/added.tsx';
import { ToSetUp } from './additions/to-set-up.tsx';
import { Providers } from './providers.tsx';
import { ResumeDialog } from './resume-dialog.tsx';

type Row = ResponseOf<'chains.list'>['chains'][number];

export function Chains() {
  const { chains: text } = words;
  const query = useAnswer('chains.list', {}, { every: 5_000 });
  const [picked, setPicked] = useState<Row | null>(null);
  const columns = chainColumns(setPicked);
  const close = () => setPicked(null);
  return (
    <Page title={text.title} under={text.under} actions={<AddLinks />}>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={4} />}>
        {({ chains }) => (
          <Table label={text.title} columns={columns} rows={chains} rowKey={(row) => row.chain} />
        )}
      </Answer>
      <Providers />
      <ToSetUp />
      <Added />
      {picked !== null && picked.halted_reason === null && (
        <PauseDialog chain={picked.chain} onClose={close} />
      )}
      {picked !== null && picked.halted_reason !== null && (
        <ResumeChain chain={picked.chain} reason={picked.halted_reason} onClose={close} />
      )}
    </Page>
  );
}

function AddLinks() {
  const { additions: text } = words;
  return (
    <>
      <Link to="/operator/chains/add-token" className={buttonClass('plain')}>
        {text.addToken}
      </Link>
      <Link to="/operator/chains/add" className={buttonClass('plain')}>
        {text.addChain}
      </Link>
    </>
  );
}

function chainColumns(onPick: (row: Row) => void): readonly Column<Row>[] {
  const { chains: text } = words;
  return [
    { key: 'chain', head: text.chain, cell: ({ chain }) => <strong>{chain}</strong> },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: (row) => (
        <WithReason reason={row.halted_reason}>
          <ChainBadge row={row} />
        </WithReason>
      ),
    },
    {
      key: 'head',
      head: text.head,
      end: true,
      phone: 'named',
      cell: ({ head }) => head?.number.toLocaleString(language) ?? text.none,
    },
    {
      key: 'lag',
      head: text.lag,
      end: true,
      phone: 'named',
      cell: ({ lag_seconds: lag, is_ready: isReady, is_on: isOn }) =>
        lag !== null && <Lag seconds={lag} isLate={isOn && !isReady} />,
    },
    { key: 'reorgs', head: text.reorgs, end: true, phone: 'out', cell: ({ reorgs }) => reorgs.length },
    {
      key: 'act',
      head: '',
      end: true,
      phone: 'side',
      cell: (row) =>
        row.is_on &&
        (row.halted_reason === null ? (
          <RowMenu label={fill(words.merchants.more, { name: row.chain })}>
            <MenuItem danger onSelect={() => onPick(row)}>
              {fill(text.pause, { chain: row.chain })}
            </MenuItem>
          </RowMenu>
        ) : (
          <Button onClick={() => onPick(row)}>{fill(text.resume, { chain: row.chain })}</Button>
        )),
    },
  ];
}

function ChainBadge({ row }: { readonly row: Row }) {
  const { chains: text } = words;
  if (!row.is_on)
    return (
      <Badge tone="calm" icon="off">
        {text.off}
      </Badge>
    );
  if (row.halted_reason !== null)
    return (
      <Badge tone="error" icon="off">
        {text.halted}
      </Badge>
    );
  return (
    <Badge tone={row.is_ready ? 'paid' : 'part'} icon={row.is_ready ? 'done' : 'warning'}>
      {row.is_ready ? text.runs : text.behind}
    </Badge>
  );
}

function PauseDialog({ chain, onClose }: { readonly chain: string; readonly onClose: () => void }) {
  const { chains: text } = words;
  const act = useAct('chains.pause', () => {
    say(fill(text.paused, { chain }));
    onClose();
  });
  return (
    <ReasonDialog
      title={fill(text.pauseTitle, { chain })}
      description={text.pauseUnder}
      confirm={fill(text.pause, { chain })}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ chain, reason })}
    />
  );
}

interface ResumeProps {
  readonly chain: string;
  readonly reason: string;
  readonly onClose: () => void;
}

function ResumeChain({ chain, reason, onClose }: ResumeProps) {
  const { chains: text } = words;
  const act = useAct('chains.resume', () => {
    say(fill(text.resumed, { chain }));
    onClose();
  });
  return (
    <ResumeDialog
      title={fill(text.resumeTitle, { chain })}
      description={fill(text.resumeUnder, { reason })}
      confirm={fill(text.resume, { chain })}
      act={act}
      onConfirm={() => act.mutate({ chain, halted_reason: reason })}
      onClose={onClose}
    />
  );
}
