// Asks for a payout in two steps: what is wanted, then exactly what leaves and what arrives, to be confirmed.
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { Link, useNavigate, useParams } from 'react-router';
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { newRequestId, useAct, useAnswer } from '../../api/queries.ts';
import { addDecimals, groupDigits, trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Notice } from '../../parts/notice.tsx';
import { BackMark, backClass, Card, Fact, Facts, Page } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, language, words } from '../../words/words.ts';
import { AppCodeField } from './app-code-field.tsx';

type Wanted = RequestOf<'payouts.quote'>;

export function NewPayout() {
  const { merchantId = '' } = useParams();
  const { newPayout: text } = words;
  const currencies = useCurrencies();
  const balances = useAnswer('balances.read', { merchant_id: merchantId }).data?.balances ?? [];
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const quote = useAct('payouts.quote');
  const appName = (id: string) => apps.find((each) => each.app_id === id)?.name ?? id;
  return (
    <Page
      title={text.title}
      back={
        <Link to={`/m/${merchantId}/payouts`} className={backClass}>
          <BackMark /> {words.payouts.title}
        </Link>
      }
    >
      <Card>
        <Form
          error={quote.error}
          onSubmit={(typed) => {
            const [appId = '', currency = ''] = typed('source').split(' ');
            const next = {
              merchant_id: merchantId,
              app_id: appId,
              currency_id: Number(currency),
              amount: typed('amount'),
              to_address: typed('to'),
            };
            quote.mutate(next, { onSuccess: () => setWanted(next) });
          }}
        >
          <SelectField label={text.source} name="source">
            {balances.map(({ app_id: id, currency_id: currency, operable }) => (
              <option key={`${id} ${currency}`} value={`${id} ${currency}`}>
                {`${currencies.name(currency)}: ${trimZeros(operable, 2)} (${appName(id)})`}
              </option>
            ))}
          </SelectField>
          <TextField label={words.payouts.to} name="to" mono error={fieldError(quote.error, 'to_address')} />
          <TextField
            label={words.orders.amount}
            name="amount"
            inputMode="decimal"
            error={fieldError(quote.error, 'amount')}
          />
          <Actions>
            <Button type="submit" tone="primary" busy={quote.isPending} disabled={balances.length === 0}>
              {text.review}
            </Button>
          </Actions>
        </Form>
      </Card>
      {wanted !== null && quote.data !== undefined && (
        <ConfirmPayout wanted={wanted} quote={quote.data} onClose={() => setWanted(null)} />
      )}
    </Page>
  );
}

interface ConfirmPayoutProps {
  readonly wanted: Wanted;
  readonly quote: NonNullable<ReturnType<typeof useAct<'payouts.quote'>>['data']>;
  readonly onClose: () => void;
}

function ConfirmPayout({ wanted, quote, onClose }: ConfirmPayoutProps) {
  const { newPayout: text } = words;
  const navigate = useNavigate();
  const currencies = useCurrencies();
  const app = useAnswer('apps.read', { merchant_id: wanted.merchant_id, app_id: wanted.app_id }).data?.app;
  const [requestId] = useState(newRequestId);
  const act = useAct('payouts.create', ({ payout: made }) => {
    say(text.done);
    void navigate(`/m/${wanted.merchant_id}/payouts/${made.trade_no}`);
  });
  const symbol = currencies.symbol(wanted.currency_id);
  const mostCost = addDecimals(quote.service_charge, quote.gas);
  const amount = `${groupDigits(trimZeros(quote.receipt, 2), language)} ${symbol}`;
  return (
    <Dialog title={text.confirmTitle} open onClose={onClose} wide>
      <CostFacts wanted={wanted} quote={quote} mostCost={mostCost} />
      {quote.refusal !== null && <Notice tone="error">{quote.refusal.message}</Notice>}
      {quote.needs_approval && <Notice tone="part">{text.needsApproval}</Notice>}
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            ...wanted,
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
          close={words.back}
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
function CostFacts({
  wanted,
  quote,
  mostCost,
}: Omit<ConfirmPayoutProps, 'onClose'> & { readonly mostCost: string }) {
  const { newPayout: text, payout } = words;
  const currencies = useCurrencies();
  const symbol = currencies.symbol(wanted.currency_id);
  return (
    <Facts>
      <Fact name={words.payouts.to} stacked>
        {quote.listed !== null && (
          <div>
            <bdi>{quote.listed.label}</bdi>
          </div>
        )}
        <Copyable text={wanted.to_address} label={words.payouts.to} form="groups" />
      </Fact>
      <Fact name={words.orders.network}>{currencies.name(wanted.currency_id)}</Fact>
      <Fact name={payout.receives}>
        <Money amount={trimZeros(quote.receipt, 2)} symbol={symbol} />
      </Fact>
      <Fact name={payout.cost}>
        <Money amount={trimZeros(mostCost, 2)} symbol={symbol} />
      </Fact>
      <Fact name={payout.leaves}>
        <Money amount={trimZeros(quote.reserved, 2)} symbol={symbol} />
      </Fact>
      <Fact name={text.remains}>
        <Money amount={trimZeros(quote.operable_after, 2)} symbol={symbol} />
      </Fact>
    </Facts>
  );
}
