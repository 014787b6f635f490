// Lets a receipt count for an order of the same app and currency.
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { ReasonField } from '../../parts/data/reason-field.tsx';
import { identityOf, type ReceiptRow } from './receipt-row.ts';

interface AssignFormProps {
  readonly receipt: ReceiptRow;
  readonly onDone: () => void;
}

export function AssignForm({ receipt, onDone }: AssignFormProps) {
  const { merchantId = '' } = useParams();
  const { receipts: text } = words;
  const act = useAct('receipts.assign', ({ disposition }) => {
    say(text.assigned[disposition]);
    onDone();
  });
  return (
    <Form
      error={act.error}
      onSubmit={(typed) =>
        act.mutate({
          merchant_id: merchantId,
          ...identityOf(receipt),
          trade_no: typed('order'),
          reason: typed('reason'),
        })
      }
    >
      <TextField
        label={text.order}
        hint={text.orderHint}
        name="order"
        defaultValue={receipt.trade_no ?? ''}
        mono
        error={fieldError(act.error, 'trade_no')}
      />
      <ReasonField error={act.error} />
      <Actions>
        <Button type="submit" tone="primary" busy={act.isPending}>
          {text.assignNow}
        </Button>
      </Actions>
    </Form>
  );
}
