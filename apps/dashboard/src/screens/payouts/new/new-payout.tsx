// Asks for a payout in two steps: what is wanted, with its cost as it is typed, then exactly what leaves and what arrives.
import { useParams } from 'react-router';
import { useState } from 'react';
import { useCurrencies } from '../../../api/currencies.ts';
import { newRequestId, useAct, useAnswer } from '../../../api/queries.ts';
import { trimZeros } from '../../../format/amounts.ts';
import { Button } from '../../../parts/button.tsx';
import { Actions } from '../../../parts/dialog.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { fieldError, Form } from '../../../parts/form.tsx';
import { BackLink, Card, Page, Stack } from '../../../parts/page.tsx';
import { words } from '../../../words/words.ts';
import { AddressPicker } from './address-picker.tsx';
import { ConfirmPayout, type Wanted } from './confirm-payout.tsx';
import { LiveCost } from './live-cost.tsx';

/** The contents of the fields. */
interface Draft {
  /** The id of an app and the number of a currency; "" for the first balance, until a field is changed. */
  readonly source: string;
  readonly to: string;
  readonly amount: string;
}

export function NewPayout() {
  const { merchantId = '' } = useParams();
  const { newPayout: text } = words;
  const [draft, setDraft] = useState<Draft>({ source: '', to: '', amount: '' });
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [requestId] = useState(newRequestId);
  const sources = useSources(merchantId);
  const quote = useAct('payouts.quote');
  // The first change of a field fixes the source, because another balance may become the first before the review.
  const held = { ...draft, source: draft.source || (sources[0]?.value ?? '') };
  const [appId = '', currency = ''] = held.source.split(' ');
  const wish = {
    merchant_id: merchantId,
    app_id: appId,
    currency_id: Number(currency),
    amount: draft.amount.trim(),
    to_address: draft.to.trim(),
  };
  const isWhole = appId !== '' && wish.amount !== '' && wish.to_address !== '';
  return (
    <Page
      title={text.title}
      narrow
      back={<BackLink to={`/m/${merchantId}/payouts`}>{words.payouts.title}</BackLink>}
    >
      <Stack>
        <Card>
          <Form error={quote.error} onSubmit={() => quote.mutate(wish, { onSuccess: () => setWanted(wish) })}>
            <PayoutFields {...{ sources, wish }} draft={held} error={quote.error} onChange={setDraft} />
            <Actions>
              <Button type="submit" tone="primary" busy={quote.isPending} disabled={sources.length === 0}>
                {text.review}
              </Button>
            </Actions>
          </Form>
        </Card>
        <LiveCost wish={isWhole ? wish : null} />
      </Stack>
      {wanted !== null && quote.data !== undefined && (
        <ConfirmPayout {...{ wanted, requestId }} quote={quote.data} onClose={() => setWanted(null)} />
      )}
    </Page>
  );
}

interface PayoutFieldsProps {
  readonly draft: Draft;
  readonly sources: readonly Source[];
  readonly wish: Wanted;
  readonly error: unknown;
  readonly onChange: (next: Draft) => void;
}

function PayoutFields({ draft, sources, wish, error, onChange }: PayoutFieldsProps) {
  const family = useCurrencies().find(wish.currency_id)?.family;
  return (
    <>
      <SelectField
        label={words.newPayout.source}
        name="source"
        value={draft.source}
        onChange={({ target }) => onChange({ ...draft, source: target.value })}
      >
        {sources.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.payouts.to}
        name="to"
        mono
        value={draft.to}
        onChange={({ target }) => onChange({ ...draft, to: target.value })}
        error={fieldError(error, 'to_address')}
      />
      {family !== undefined && (
        <AddressPicker
          ofApp={{ merchant_id: wish.merchant_id, app_id: wish.app_id }}
          family={family}
          onPick={(to) => onChange({ ...draft, to })}
        />
      )}
      <TextField
        label={words.orders.amount}
        name="amount"
        inputMode="decimal"
        value={draft.amount}
        onChange={({ target }) => onChange({ ...draft, amount: target.value })}
        error={fieldError(error, 'amount')}
      />
    </>
  );
}

interface Source {
  readonly value: string;
  readonly label: string;
}

/** The balances that the payout can be paid from. */
function useSources(merchantId: string): readonly Source[] {
  const currencies = useCurrencies();
  const balances = useAnswer('balances.read', { merchant_id: merchantId }).data?.balances ?? [];
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const appName = (id: string) => apps.find((each) => each.app_id === id)?.name ?? id;
  return balances.map(({ app_id: id, currency_id: currency, operable }) => ({
    value: `${id} ${currency}`,
    label: `${currencies.name(currency)}: ${trimZeros(operable, 2)} (${appName(id)})`,
  }));
}
