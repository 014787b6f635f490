// Sends a receipt back in two steps: the address, then the part that is kept for the network fee.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { useNavigate, useParams } from 'react-router';
import { useCurrencies } from '../../api/currencies.ts';
import { useAct } from '../../api/queries.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { ReasonField } from '../../parts/data/reason-field.tsx';
import { AppCodeField } from '../payouts/new/app-code-field.tsx';
import { identityOf, type ReceiptIdentity } from './receipt-row.ts';

interface RefundFormProps {
  readonly receipt: ReceiptIdentity;
  readonly onDone: () => void;
}

export function RefundForm({ receipt, onDone }: RefundFormProps) {
  const { merchantId = '' } = useParams();
  const { receipts: text } = words;
  const quote = useAct('receipts.quote-refund');
  const { data, variables } = quote;
  if (data !== undefined && variables !== undefined)
    return <ConfirmRefund wanted={variables} quote={data} onBack={() => quote.reset()} onDone={onDone} />;
  return (
    <Form
      error={quote.error}
      onSubmit={(typed) =>
        quote.mutate({ merchant_id: merchantId, ...identityOf(receipt), to_address: typed('to') })
      }
    >
      <TextField
        label={words.payouts.to}
        hint={text.toHint}
        name="to"
        mono
        error={fieldError(quote.error, 'to_address')}
      />
      <Actions>
        <Button type="submit" tone="primary" busy={quote.isPending}>
          {text.review}
        </Button>
      </Actions>
    </Form>
  );
}

interface ConfirmRefundProps {
  readonly wanted: RequestOf<'receipts.quote-refund'>;
  readonly quote: ResponseOf<'receipts.quote-refund'>;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

function ConfirmRefund({ wanted, quote, onBack, onDone }: ConfirmRefundProps) {
  const { receipts: text } = words;
  const symbol = useCurrencies().symbol(quote.currency_id);
  const navigate = useNavigate();
  const act = useAct('receipts.refund', ({ payout }) => {
    say(text.sentBack);
    onDone();
    void navigate(`/m/${wanted.merchant_id}/payouts/${payout.trade_no}`);
  });
  return (
    <>
      <Facts>
        <Fact name={words.order.got}>
          <Money amount={trimZeros(quote.amount, 2)} symbol={symbol} />
        </Fact>
        <Fact name={words.timeline.networkFee}>
          <Money amount={trimZeros(quote.least_keep)} symbol={symbol} />
        </Fact>
      </Facts>
      {quote.refusal !== null && <Notice tone="error">{quote.refusal}</Notice>}
      {quote.needs_approval && <Notice tone="part">{words.newPayout.needsApproval}</Notice>}
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            ...wanted,
            keep: typed('keep'),
            reason: typed('reason'),
            ...(quote.one_time_codes ? { otp_code: typed('code') } : {}),
          })
        }
      >
        <TextField
          label={text.keep}
          hint={text.keepHint}
          name="keep"
          inputMode="decimal"
          defaultValue={trimZeros(quote.least_keep)}
          error={fieldError(act.error, 'keep')}
        />
        {quote.one_time_codes && <AppCodeField app={quote.app_name} error={act.error} />}
        <ReasonField error={act.error} />
        <SubmitActions onClose={onBack} isBusy={act.isPending} disabled={quote.refusal !== null}>
          {text.refundNow}
        </SubmitActions>
      </Form>
    </>
  );
}
