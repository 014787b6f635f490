// Sends a paid order back, part of it or all: how much, where to and why, then the cost of now, to be confirmed.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { newRequestId, useAct } from '../../api/queries.ts';
import { trimZeros } from '../../format/amounts.ts';
import { ReasonField } from '../../parts/data/reason-field.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { Address } from '../address.tsx';
import { ConfirmPayout, type Wanted } from '../payouts/new/confirm-payout.tsx';

interface RefundDialogProps {
  readonly answer: ResponseOf<'orders.read'>;
  readonly onClose: () => void;
}

export function RefundDialog({ answer, onClose }: RefundDialogProps) {
  const { order } = answer;
  const { merchantId = '' } = useParams();
  // While the dialog is open, the typed values and the request_id stay, so a person who goes back makes no second refund.
  const [wanted, setWanted] = useState<{ readonly payout: Wanted; readonly reason: string } | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const [requestId] = useState(newRequestId);
  const quote = useAct('payouts.quote');
  if (isConfirming && wanted !== null && quote.data !== undefined) {
    return (
      <ConfirmPayout
        wanted={wanted.payout}
        quote={quote.data}
        refund={{ trade_no: order.trade_no, reason: wanted.reason }}
        requestId={requestId}
        onClose={() => setConfirming(false)}
      />
    );
  }
  return (
    <Dialog title={words.refundOrder.title} description={words.refundOrder.under} open onClose={onClose}>
      <WhatCame answer={answer} />
      <Form
        error={quote.error}
        onSubmit={(typed) => {
          const payout = {
            merchant_id: merchantId,
            app_id: order.app_id,
            currency_id: order.currency_id,
            amount: typed('amount'),
            to_address: typed('to'),
          };
          setWanted({ payout, reason: typed('reason') });
          quote.mutate({ ...payout, refund_of: order.trade_no }, { onSuccess: () => setConfirming(true) });
        }}
      >
        <TextField
          label={words.orders.amount}
          hint={words.refundOrder.fees}
          name="amount"
          inputMode="decimal"
          defaultValue={wanted?.payout.amount ?? trimZeros(order.refundable)}
          error={fieldError(quote.error, 'amount')}
        />
        <TextField
          label={words.payouts.to}
          hint={words.receipts.toHint}
          name="to"
          mono
          defaultValue={wanted?.payout.to_address}
          error={fieldError(quote.error, 'to_address')}
        />
        <ReasonField error={quote.error} typed={wanted?.reason} />
        <SubmitActions onClose={onClose} isBusy={quote.isPending}>
          {words.newPayout.review}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

/**
 * The refundable amount, and the address that paid. The address is never filled in, because an exchange credits no customer
 * for money sent there.
 */
function WhatCame({ answer: { order, timeline } }: Pick<RefundDialogProps, 'answer'>) {
  const { refundOrder: text } = words;
  const currencies = useCurrencies();
  const symbol = currencies.symbol(order.currency_id);
  const payer = payerOf(timeline);
  return (
    <>
      <Facts>
        <Fact name={text.left}>
          <Money amount={trimZeros(order.refundable, 2)} symbol={symbol} />
        </Fact>
        {payer !== null && (
          <Fact name={text.paidFrom} stacked>
            <Address
              text={payer}
              label={text.paidFrom}
              form="groups"
              currencies={currencies}
              currencyId={order.currency_id}
            />
          </Fact>
        )}
      </Facts>
      {payer !== null && <Notice tone="part">{text.warning}</Notice>}
    </>
  );
}

/** The one address that the money came from; null where there is none, or more than one. */
function payerOf(timeline: ResponseOf<'orders.read'>['timeline']): string | null {
  const senders = timeline.flatMap((entry) =>
    entry.kind === 'transfer' && entry.from !== '' ? entry.from : [],
  );
  const [payer, ...others] = new Set(senders);
  return payer === undefined || others.length > 0 ? null : payer;
}
