// Picks the recipient from the address list of the app, by its name; each entry says whether it has cooled.
import { useState } from 'react';
import { useAnswer } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { FindField } from '../../../parts/data/filters.tsx';
import { Table } from '../../../parts/data/table.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { words } from '../../../words/words.ts';
import { labelColumn, type ListedAddress, stateColumn } from '../../listed-address.tsx';

interface AddressPickerProps {
  readonly ofApp: { readonly merchant_id: string; readonly app_id: string };
  /** The family of the network that the money goes over. */
  readonly family: ListedAddress['family'];
  readonly onPick: (address: string) => void;
}

/** Renders nothing for an app whose list holds no address of the network. */
export function AddressPicker({ ofApp, family, onPick }: AddressPickerProps) {
  const { addressPicker: text } = words;
  const [isOpen, setOpen] = useState(false);
  const listed = useAnswer('address-list.list', ofApp).data?.addresses ?? [];
  const entries = listed.filter((entry) => entry.family === family);
  if (entries.length === 0) return null;
  const pick = ({ address }: ListedAddress) => {
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
  readonly entries: readonly ListedAddress[];
  readonly onPick: (entry: ListedAddress) => void;
  readonly onClose: () => void;
}

function PickDialog({ entries, onPick, onClose }: PickDialogProps) {
  const { addressPicker: text, addresses } = words;
  const [sought, setSought] = useState('');
  const columns = [labelColumn(), stateColumn(useNow())];
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
