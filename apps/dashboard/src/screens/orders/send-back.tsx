// Refunds late or extra money of an order by itself, because the order's own refund covers only money that counts.
import { useState } from 'react';
import { useParams } from 'react-router';
import { useMay } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { words } from '../../words/words.ts';
import type { ReceiptIdentity } from '../receipts/receipt-row.ts';
import { RefundForm } from '../receipts/refund-form.tsx';

export function SendBack({ transfer }: { readonly transfer: ReceiptIdentity }) {
  const { merchantId = '' } = useParams();
  const may = useMay(merchantId);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!may('pay-out')) return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{words.receipts.sendBack}</Button>
      {isOpen && (
        <Dialog title={words.receipts.sendBack} open onClose={close} wide>
          <RefundForm receipt={transfer} onDone={close} />
        </Dialog>
      )}
    </div>
  );
}
