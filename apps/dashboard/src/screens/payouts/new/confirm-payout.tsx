// The last step of a payout: exactly what leaves and what arrives, at the cost of now, to be confirmed.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { useNavigate } from 'react-router';
import { useCurrencies } from '../../../api/currencies.ts';
import { useAct, useAnswer } from '../../../api/queries.ts';
import { groupDigits, trimZeros } from '../../../format/amounts.ts';
import { Dialog, SubmitActions } from '../../../parts/dialog.tsx';
import { Form } from '../../../parts/form.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Facts } from '../../../parts/page.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, language, words } from '../../../words/words.ts';
import { PayeeFacts } from '../payee-facts.tsx';
import { AppCodeField } from './app-code-field.tsx';
import { CostFacts, mostCostOf } from './cost-facts.tsx';

export type Wanted = Omit<RequestOf<'payouts.quote'>, 'refund_of'>;

interface ConfirmPayoutProps {
  readonly wanted: Wanted;
  readonly quote: ResponseOf<'payouts.quote'>;
  /** The order that the payout refunds, and the reason. */
  readonly refund?: RequestOf<'payouts.create'>['refund'];
  /** The request_id of the form behind the dialog. A request that was sent and never answered makes no second payout. */
  readonly requestId: string;
  readonly onClose: () => void;
}

export function ConfirmPayout({ wanted, quote, refund, requestId, onClose }: ConfirmPayoutProps) {
  const { newPayout: text } = words;
  const navigate = useNavigate();
  const currencies = useCurrencies();
  const app = useAnswer('apps.read', { merchant_id: wanted.merchant_id, app_id: wanted.app_id }).data?.app;
  const act = useAct('payouts.create', ({ payout: made }) => {
    say(text.done);
    void navigate(`/m/${wanted.merchant_id}/payouts/${made.trade_no}`);
  });
  const symbol = currencies.symbol(wanted.currency_id);
  const mostCost = mostCostOf(quote);
  const amount = `${groupDigits(trimZeros(quote.receipt, 2), language)} ${symbol}`;
  return (
    <Dialog title={text.confirmTitle} open onClose={onClose} wide>
      <Confirmed wanted={wanted} quote={quote} />
      {quote.refusal !== null && <Notice tone="error">{quote.refusal.message}</Notice>}
      {quote.needs_approval && <Notice tone="part">{text.needsApproval}</Notice>}
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            ...wanted,
            ...(refund === undefined ? {} : { refund }),
            request_id: requestId,
            most_cost: mostCost,
            fee_mode: quote.fee_mode,
            ...(app?.one_time_codes === true ? { otp_code: typed('code') } : {}),
          })
        }
      >
        {app?.one_time_codes === true && <AppCodeField app={app.name} error={act.error} />}
        <SubmitActions
          onClose={onClose}
          isBusy={act.isPending}
          disabled={quote.refusal !== null || app === undefined}
        >
          {fill(text.confirm, { amount })}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

/** What the person confirms. */
function Confirmed({ wanted, quote }: Pick<ConfirmPayoutProps, 'wanted' | 'quote'>) {
  const currencies = useCurrencies();
  const { to_address, currency_id } = wanted;
  const payee = { to_label: quote.listed?.label ?? null, to_address, currency_id };
  return (
    <Facts>
      <PayeeFacts payout={payee} currencies={currencies} />
      <CostFacts quote={quote} symbol={currencies.symbol(wanted.currency_id)} />
    </Facts>
  );
}
