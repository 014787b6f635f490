// Lets an order that timed out count as paid: says what follows from it before it is done.
import { useParams } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { useAct } from '../../api/queries.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import type { OrderRow } from './order-columns.tsx';

interface AcceptLateDialogProps {
  readonly order: OrderRow;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function AcceptLateDialog({ order, open, onClose }: AcceptLateDialogProps) {
  const { merchantId = '' } = useParams();
  const { acceptLate: text } = words;
  const symbol = useCurrencies().symbol(order.currency_id);
  const act = useAct('orders.accept-late', () => {
    say(text.done);
    onClose();
  });
  return (
    <Dialog title={text.title} description={text.under} open={open} onClose={onClose}>
      <Facts>
        <Fact name={text.due}>
          <Money amount={trimZeros(order.amount, 2)} symbol={symbol} />
        </Fact>
        <Fact name={text.came}>
          <Money amount={trimZeros(order.collected, 2)} symbol={symbol} />
        </Fact>
      </Facts>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({ merchant_id: merchantId, trade_no: order.trade_no, reason: typed('reason') })
        }
      >
        <TextField
          label={words.reason}
          hint={words.reasonHint}
          name="reason"
          maxLength={64}
          error={fieldError(act.error, 'reason')}
        />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {text.confirm}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
