// The apps of a merchant, and making one: its key is shown once.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { newRequestId, useAct, useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import { KeyShown } from './key-shown.tsx';
import { TestBadge } from '../test-badge.tsx';

type Row = ResponseOf<'apps.list'>['apps'][number];

export function Apps() {
  const { merchantId = '' } = useParams();
  const { apps: text } = words;
  const may = useMay(merchantId)('administer');
  const [isMaking, setMaking] = useState(false);
  const query = useAnswer('apps.list', { merchant_id: merchantId });
  const create = may && (
    <Button tone="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {text.create}
    </Button>
  );
  const columns = appColumns();
  return (
    <Page title={text.title} under={text.under} actions={create}>
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={2} />}>
        {({ apps }) =>
          apps.length === 0 ? (
            <Empty title={text.empty}>{text.emptyUnder}</Empty>
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={apps}
              rowKey={(row) => row.app_id}
              to={(row) => `/m/${merchantId}/apps/${row.app_id}`}
            />
          )
        }
      </Answer>
      {isMaking && <CreateApp onClose={() => setMaking(false)} />}
    </Page>
  );
}

function CreateApp({ onClose }: { readonly onClose: () => void }) {
  const { merchantId = '' } = useParams();
  const { apps: text } = words;
  const [requestId] = useState(newRequestId);
  const act = useAct('apps.create');
  if (act.data !== undefined) return <KeyShown made={act.data} onClose={onClose} />;
  return (
    <Dialog title={text.create} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            merchant_id: merchantId,
            request_id: requestId,
            name: typed('name'),
            kind: typed('kind') === 'QR_CODE' ? 'QR_CODE' : 'PAYMENT',
            ...(typed('webhook') === '' ? {} : { callback_url: typed('webhook') }),
          })
        }
      >
        <TextField label={text.name} name="name" maxLength={64} error={fieldError(act.error, 'name')} />
        <SelectField label={text.kind} name="kind">
          <option value="PAYMENT">{text.kinds.PAYMENT}</option>
          <option value="QR_CODE">{text.kinds.QR_CODE}</option>
        </SelectField>
        <TextField
          label={text.webhook}
          name="webhook"
          type="url"
          optional
          error={fieldError(act.error, 'callback_url')}
        />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.createNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

function AppName({ row }: { readonly row: Row }) {
  return (
    <>
      <bdi>{row.name}</bdi> {row.is_test && <TestBadge />}
    </>
  );
}

function appColumns(): readonly Column<Row>[] {
  const { apps: text } = words;
  return [
    { key: 'name', head: text.name, name: true, cell: (row) => <AppName row={row} /> },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ enabled }) => (
        <Badge tone={enabled ? 'paid' : 'calm'} icon={enabled ? 'done' : 'off'}>
          {enabled ? text.on : text.off}
        </Badge>
      ),
    },
    { key: 'kind', head: text.kind, phone: 'minor', cell: ({ kind }) => text.kinds[kind] },
    { key: 'since', head: words.orders.time, phone: 'out', cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}
