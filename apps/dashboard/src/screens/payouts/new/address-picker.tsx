// Picks the recipient from the address list of the app, by its name; each entry says whether it has cooled.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAnswer } from '../../../api/queries.ts';
import { shorten } from '../../../format/groups.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { FindField } from '../../../parts/data/filters.tsx';
import { type Column, Table } from '../../../parts/data/table.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Time } from '../../../parts/time.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { words } from '../../../words/words.ts';

type Entry = ResponseOf<'address-list.list'>['addresses'][number];

interface AddressPickerProps {
  readonly ofApp: { readonly merchant_id: string; readonly app_id: string };
  /** Of the network that the money goes over. */
  readonly family: Entry['family'];
  readonly onPick: (address: string) => void;
}

/** Nothing for an app whose list holds no address of the network. */
export function AddressPicker({ ofApp, family, onPick }: AddressPickerProps) {
  const { addressPicker: text } = words;
  const [isOpen, setOpen] = useState(false);
  const listed = useAnswer('address-list.list', ofApp).data?.addresses ?? [];
  const entries = listed.filter((entry) => entry.family === family);
  if (entries.length === 0) return null;
  const pick = ({ address }: Entry) => {
    onPick(address);
    setOpen(false);
  };
  return (
    <>
      <div>
        <Button onClick={() => setOpen(true)}>{text.open}</Button>
      </div>
      {isOpen && <PickDialog entries={entries} onPick={pick} onClose={() => setOpen(false)} />}
    </>
  );
}

interface PickDialogProps {
  readonly entries: readonly Entry[];
  readonly onPick: (entry: Entry) => void;
  readonly onClose: () => void;
}

function PickDialog({ entries, onPick, onClose }: PickDialogProps) {
  const { addressPicker: text, addresses } = words;
  const [sought, setSought] = useState('');
  const columns = entryColumns(useNow());
  const fitting = entries.filter(({ label, address }) =>
    `${label} ${address}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  return (
    <Dialog title={text.title} open onClose={onClose}>
      <FindField label={text.find} value={sought} onFind={setSought} />
      {fitting.length === 0 ? (
        <p>{text.noneFits}</p>
      ) : (
        <Table
          label={addresses.title}
          columns={columns}
          rows={fitting}
          rowKey={({ address }) => address}
          onOpen={onPick}
          bare
        />
      )}
    </Dialog>
  );
}

function entryColumns(now: number): readonly Column<Entry>[] {
  const { addresses: text } = words;
  return [
    {
      key: 'label',
      head: text.label,
      fill: true,
      cell: ({ label, address }) => (
        <>
          <bdi>{label}</bdi> <code title={address}>{shorten(address, 8, 6)}</code>
        </>
      ),
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'minor',
      cell: ({ usable_from: from }) =>
        from <= now ? (
          <Badge tone="paid" icon="done">
            {text.usable}
          </Badge>
        ) : (
          <>
            {text.coolsUntil} <Time at={from} />
          </>
        ),
    },
  ];
}
