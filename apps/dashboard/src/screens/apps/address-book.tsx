// Where the payouts of an app may go: each address with who added it and from when it can be used.
import { useParams } from 'react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAnswer } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { useNow } from '../../parts/use-now.ts';
import { words } from '../../words/words.ts';
import { labelColumn, type ListedAddress as Row, stateColumn } from '../listed-address.tsx';

interface AddressBookProps {
  readonly appId: string;
  readonly mayChange: boolean;
}

export function AddressBook({ appId, mayChange }: AddressBookProps) {
  const { merchantId = '' } = useParams();
  const { addresses: text } = words;
  const ofApp = { merchant_id: merchantId, app_id: appId };
  const [isAdding, setAdding] = useState(false);
  const query = useAnswer('address-list.list', ofApp);
  const remove = useAct('address-list.remove', () => say(text.removed));
  const onRemove = ({ family, address }: Row) =>
    remove.mutate({ ...ofApp, family, address }, { onError: (error) => say(refusalText(error)) });
  const columns = addressColumns(useNow(), mayChange ? onRemove : null);
  const add = mayChange && (
    <Button icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  );
  return (
    <Card title={text.title} action={add} bare>
      <Answer query={query} skeleton={<Bone width="100%" height={80} />}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <Empty title={text.empty}>{text.emptyUnder}</Empty>
          ) : (
            <Table
              label={text.title}
              columns={columns}
              rows={addresses}
              rowKey={({ family, address }) => `${family} ${address}`}
              bare
            />
          )
        }
      </Answer>
      {isAdding && <AddAddress ofApp={ofApp} onClose={() => setAdding(false)} />}
    </Card>
  );
}

interface AddAddressProps {
  readonly ofApp: { readonly merchant_id: string; readonly app_id: string };
  readonly onClose: () => void;
}

function AddAddress({ ofApp, onClose }: AddAddressProps) {
  const { addresses: text } = words;
  const act = useAct('address-list.add', () => {
    say(text.added);
    onClose();
  });
  return (
    <Dialog title={text.add} description={text.addUnder} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            ...ofApp,
            family: typed('family') === 'tron' ? 'tron' : 'evm',
            address: typed('address'),
            label: typed('label'),
          })
        }
      >
        <TextField label={text.label} name="label" maxLength={64} error={fieldError(act.error, 'label')} />
        <SelectField label={words.orders.network} name="family">
          <option value="evm">{text.families.evm}</option>
          <option value="tron">{text.families.tron}</option>
        </SelectField>
        <TextField label={words.order.address} name="address" mono error={fieldError(act.error, 'address')} />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.addNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

function addressColumns(now: number, onRemove: ((row: Row) => void) | null): readonly Column<Row>[] {
  const { addresses: text } = words;
  return [
    labelColumn(),
    { key: 'by', head: text.addedBy, phone: 'minor', cell: ({ added_by: by }) => <bdi>{by}</bdi> },
    stateColumn(now),
    ...(onRemove === null
      ? []
      : [
          {
            key: 'remove',
            head: '',
            end: true,
            phone: 'side' as const,
            cell: (row: Row) => (
              <Button tone="danger" onClick={() => onRemove(row)}>
                {text.remove}
              </Button>
            ),
          },
        ]),
  ];
}
