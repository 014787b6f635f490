// The command palette: every place by its name, and every order, payout and receipt by number, transaction or address.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { ArrowUpRight, CircleHelp, QrCode, ReceiptText, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { useMerchant } from '../../api/session.ts';
import dialogStyles from '../../parts/dialog.module.css';
import { words } from '../../words/words.ts';
import styles from './palette.module.css';
import { type Entry, useEntries, useLinkEntry } from './palette-entries.ts';

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
  const entries = useEntries(text.trim());
  const items = [...entries, ...useFound(text.trim())];
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
              item.run();
            }}
          >
            <item.icon size={16} aria-hidden />
            <span className={styles['grow']}>
              <bdi>{item.label}</bdi>
              {item.detail !== undefined && <bdi className={styles['detail']}>{item.detail}</bdi>}
            </span>
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

/**
 * What the server finds by a number, a transaction or an address. It is asked from three letters on, because fewer would
 * find anything.
 */
function useFound(text: string): readonly Entry[] {
  const merchant = useMerchant()?.merchant_id ?? '';
  const enabled = text.length >= 3 && merchant !== '';
  const { data } = useAnswer('search.find', { merchant_id: merchant, text }, { enabled });
  const link = useLinkEntry();
  if (!enabled) return [];
  return (data?.found ?? []).map(({ kind, id, label }) => {
    // People know the name that the merchant gave; a log has the gateway's own number. So both are shown.
    const shown = label === '' ? ([id] as const) : ([label, id] as const);
    // A receipt has no page of its own: the list has it.
    const [folder, icon] = kind === 'receipt' ? (['/receipts', CircleHelp] as const) : kinds[kind];
    const path = `/m/${merchant}${folder}${kind === 'receipt' ? '' : id}`;
    return { ...link(path, shown[0], words.found[kind], icon, shown[1]), value: `${kind} ${id}` };
  });
}
