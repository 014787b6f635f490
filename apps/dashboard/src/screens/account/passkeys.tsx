// A person's passkeys: adding, naming and removing them.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { addPasskey, supportsPasskeys } from '../../api/passkeys.ts';
import { queryClient, useAct, useAnswer } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import { browserName } from './browser-name.ts';

type Row = ResponseOf<'passkeys.list'>['passkeys'][number];
type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly row: Row } | null;

interface PasskeysProps {
  readonly onCodes: (codes: readonly string[]) => void;
}

export function Passkeys({ onCodes }: PasskeysProps) {
  const { account: text } = words;
  const query = useAnswer('passkeys.list', {});
  const [open, setOpen] = useState<Open>(null);
  const columns = passkeyColumns(setOpen);
  const close = () => setOpen(null);
  return (
    <Card
      title={text.passkeys}
      bare
      action={
        supportsPasskeys() && <Button onClick={() => setOpen({ what: 'add' })}>{text.addPasskey}</Button>
      }
    >
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={1} bare />}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty title={text.noPasskeys} small>
              {text.noPasskeysUnder}
            </Empty>
          ) : (
            <Table
              label={text.passkeys}
              columns={columns}
              rows={passkeys}
              rowKey={(row) => row.passkey_id}
              bare
            />
          )
        }
      </Answer>
      {open?.what === 'add' && <AddDialog onClose={close} onCodes={onCodes} />}
      {open?.what === 'rename' && <RenameDialog row={open.row} onClose={close} />}
      {open?.what === 'remove' && <RemoveDialog row={open.row} onClose={close} />}
    </Card>
  );
}

function passkeyColumns(onOpen: (open: Open) => void): readonly Column<Row>[] {
  const { account: text } = words;
  return [
    { key: 'name', head: text.name, name: true, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'used',
      head: text.lastUsed,
      phone: 'minor',
      cell: ({ used_at: at }) => (at === null ? text.neverUsed : <Time at={at} form="relative" />),
    },
    {
      key: 'end',
      phone: 'side',
      head: '',
      end: true,
      cell: (row) => (
        <>
          <Button tone="quiet" onClick={() => onOpen({ what: 'rename', row })}>
            {text.rename}
          </Button>
          <Button tone="quiet" onClick={() => onOpen({ what: 'remove', row })}>
            {text.removePasskey}
          </Button>
        </>
      ),
    },
  ];
}

function AddDialog({ onClose, onCodes }: PasskeysProps & { readonly onClose: () => void }) {
  const { account: text } = words;
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const add = (name: string) => {
    setBusy(true);
    addPasskey(name).then(
      ({ recovery_codes: codes }) => {
        say(text.passkeyAdded);
        void queryClient.invalidateQueries();
        onClose();
        if (codes.length > 0) onCodes(codes);
      },
      (failure: unknown) => {
        setError(failure);
        setBusy(false);
      },
    );
  };
  return (
    <Dialog title={text.addPasskey} description={text.addPasskeyUnder} open onClose={onClose}>
      <Form
        error={error}
        failed={error === null || fieldError(error, 'name') !== null ? undefined : words.signIn.passkeyFailed}
        onSubmit={(typed) => add(typed('name'))}
      >
        <PasskeyNameField given={browserName(navigator.userAgent).slice(0, 64)} error={error} />
        <SubmitActions onClose={onClose} isBusy={isBusy}>
          {text.addPasskey}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

interface RowDialogProps {
  readonly row: Row;
  readonly onClose: () => void;
}

function RenameDialog({ row, onClose }: RowDialogProps) {
  const { account: text } = words;
  const act = useAct('passkeys.rename', onClose);
  return (
    <Dialog title={text.rename} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) => act.mutate({ passkey_id: row.passkey_id, name: typed('name') })}
      >
        <PasskeyNameField given={row.name} error={act.error} />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.rename}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

function PasskeyNameField({ given, error }: { readonly given: string; readonly error: unknown }) {
  return (
    <TextField
      label={words.account.name}
      name="name"
      defaultValue={given}
      maxLength={64}
      error={fieldError(error, 'name')}
      autoFocus
    />
  );
}

function RemoveDialog({ row: { name, passkey_id: passkeyId }, onClose }: RowDialogProps) {
  const { account: text } = words;
  const act = useAct('passkeys.remove', () => {
    say(fill(text.passkeyRemoved, { name }));
    onClose();
  });
  return (
    <Dialog title={fill(text.removeTitle, { name })} description={text.removeUnder} open onClose={onClose}>
      <Form error={act.error} onSubmit={() => act.mutate({ passkey_id: passkeyId })}>
        <SubmitActions onClose={onClose} isBusy={act.isPending} tone="dangerous">
          {text.removePasskey}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
