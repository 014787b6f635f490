// One receipt that counts for no order: where it came from, and assigning it or sending it back.
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Money } from '../../parts/money.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Segments } from '../../parts/segments.tsx';
import { words } from '../../words/words.ts';
import { Address } from '../address.tsx';
import { AssignForm } from './assign-form.tsx';
import type { ReceiptRow } from './receipt-row.ts';
import { RefundForm } from './refund-form.tsx';

interface ReceiptDialogProps {
  readonly receipt: ReceiptRow;
  readonly onClose: () => void;
}

export function ReceiptDialog({ receipt, onClose }: ReceiptDialogProps) {
  const { receipts: text } = words;
  const currencies = useCurrencies();
  const [way, setWay] = useState<'assign' | 'refund'>('assign');
  return (
    <Dialog title={text.dialogTitle} open onClose={onClose} wide>
      <Facts>
        <Fact name={words.order.got}>
          <Money amount={trimZeros(receipt.amount, 2)} symbol={currencies.symbol(receipt.currency_id)} />
        </Fact>
        <Fact name={words.orders.network}>{currencies.name(receipt.currency_id)}</Fact>
        {receipt.from !== '' && (
          <Fact name={text.from} stacked>
            <Address
              text={receipt.from}
              label={text.from}
              form="groups"
              currencies={currencies}
              currencyId={receipt.currency_id}
            />
          </Fact>
        )}
        <Fact name={words.timeline.transaction} stacked>
          <Copyable
            text={receipt.tx_id}
            label={words.timeline.transaction}
            explorer={currencies.explorer(receipt.currency_id, 'tx', receipt.tx_id)}
          />
        </Fact>
      </Facts>
      <Segments
        label={text.way}
        value={way}
        options={[
          ['assign', text.assign],
          ['refund', text.sendBack],
        ]}
        onPick={setWay}
      />
      {way === 'assign' ? (
        <AssignForm receipt={receipt} onDone={onClose} />
      ) : (
        <RefundForm receipt={receipt} onDone={onClose} />
      )}
    </Dialog>
  );
}
