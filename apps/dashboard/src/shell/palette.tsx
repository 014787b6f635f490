// The command palette: every place by its name, and every order, payout and receipt by number, transaction or address.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from 'react-router';
import { ArrowUpRight, CircleHelp, type LucideIcon, QrCode, ReceiptText, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../api/queries.ts';
import { useMerchant } from '../api/session.ts';
import dialogStyles from '../parts/dialog.module.css';
import { words } from '../words/words.ts';
import styles from './palette.module.css';
import { usePlaceGroups } from './use-place-groups.ts';

interface Entry {
  readonly value: string;
  readonly label: string;
  readonly kind: string;
  readonly icon: LucideIcon;
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialogStyles['backdrop']} />
        <Dialog.Popup className={styles['popup']}>
          <Dialog.Title className="screen-reader">{words.shell.find}</Dialog.Title>
          <PaletteSearch onPicked={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteSearch({ onPicked }: { readonly onPicked: () => void }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const places = usePlaceGroups().flatMap(({ name, places: each }) =>
    each.map((place) => ({ value: place.path, label: place.name, kind: name ?? '', icon: place.icon })),
  );
  const wanted = text.trim().toLowerCase();
  const found = useFound(text.trim());
  const items = [...places.filter(({ label }) => label.toLowerCase().includes(wanted)), ...found];
  return (
    <Autocomplete.Root
      inline
      open
      items={items}
      value={text}
      onValueChange={setText}
      mode="none"
      autoHighlight="always"
      itemToStringValue={({ label }: Entry) => label}
    >
      <Autocomplete.Input
        className={styles['input']}
        aria-label={words.shell.find}
        placeholder={words.shell.findPlaceholder}
      />
      <Autocomplete.Empty className={styles['none']}>{words.shell.nothingFound}</Autocomplete.Empty>
      <Autocomplete.List className={styles['list']}>
        {(item: Entry) => (
          <Autocomplete.Item
            key={item.value}
            value={item}
            className={styles['item']}
            onClick={() => {
              onPicked();
              void navigate(item.value);
            }}
          >
            <item.icon size={16} aria-hidden />
            <bdi className={styles['grow']}>{item.label}</bdi>
            <span className={styles['kind']}>{item.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

const kinds = {
  order: ['/orders/', ReceiptText],
  payout: ['/payouts/', ArrowUpRight],
  event: ['/webhooks/', Webhook],
  'qr-code': ['/qr-codes/', QrCode],
} as const;

/** What the server finds by a number, a transaction or an address; fewer letters would find anything. */
function useFound(text: string): readonly Entry[] {
  const merchant = useMerchant()?.merchant_id ?? '';
  const enabled = text.length >= 3 && merchant !== '';
  const { data } = useAnswer('search.find', { merchant_id: merchant, text }, { enabled });
  if (!enabled) return [];
  return (data?.found ?? []).flatMap(({ kind, id, label }) => {
    const shown = label === '' ? id : `${id} · ${label}`;
    // A receipt has no page of its own: the list has it.
    if (kind === 'receipt')
      return [{ value: `/m/${merchant}/receipts`, label: shown, kind: words.found[kind], icon: CircleHelp }];
    const [folder, icon] = kinds[kind];
    return [{ value: `/m/${merchant}${folder}${id}`, label: shown, kind: words.found[kind], icon }];
  });
}
