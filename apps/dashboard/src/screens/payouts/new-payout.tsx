// Asks for a payout in two steps: what is wanted, then exactly what leaves and what arrives, to be confirmed.
import { useParams } from 'react-router';
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { newRequestId, useAct, useAnswer } from '../../api/queries.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { BackLink, Card, Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { ConfirmPayout, type Wanted } from './confirm-payout.tsx';

export function NewPayout() {
  const { merchantId = '' } = useParams();
  const { newPayout: text } = words;
  const currencies = useCurrencies();
  const balances = useAnswer('balances.read', { merchant_id: merchantId }).data?.balances ?? [];
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [requestId] = useState(newRequestId);
  const quote = useAct('payouts.quote');
  const appName = (id: string) => apps.find((each) => each.app_id === id)?.name ?? id;
  return (
    <Page
      title={text.title}
      narrow
      back={<BackLink to={`/m/${merchantId}/payouts`}>{words.payouts.title}</BackLink>}
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
        <ConfirmPayout {...{ wanted, requestId }} quote={quote.data} onClose={() => setWanted(null)} />
      )}
    </Page>
  );
}
