// For operators: the contract of a token is asked what it is, and then the token is added.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAct, useAnswer } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Actions } from '../../../parts/dialog.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { fieldError, Form } from '../../../parts/form.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Card, Fact, Facts, Stack } from '../../../parts/page.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { AdditionPage } from './addition-page.tsx';
import { RateAssetField } from './rate-asset-field.tsx';
import { Warnings } from './warnings.tsx';

type Wish = RequestOf<'currencies.check-token'>;
type Checked = ResponseOf<'currencies.check-token'>;

export function AddToken() {
  const { additions: text } = words;
  return (
    <AdditionPage
      title={text.tokenTitle}
      under={text.tokenUnder}
      check="currencies.check-token"
      wishOf={(typed) => ({ chain: typed('chain'), contract: typed('contract') })}
      fields={(error) => <TokenFields error={error} />}
      checked={(wish, checked) => <CheckedToken key={wish.contract} wish={wish} checked={checked} />}
    />
  );
}

function TokenFields({ error }: { readonly error: unknown }) {
  const { additions: text } = words;
  const chains = useAnswer('chains.list', {}).data?.chains ?? [];
  const added = useAnswer('chains.list-added', {}).data?.added ?? [];
  const waiting = added.flatMap((each) =>
    each.currency_id === null && !each.is_in_force && each.left_out === null ? [each.chain] : [],
  );
  const running = chains.flatMap((each) => (each.is_on && each.family === 'evm' ? [each.chain] : []));
  return (
    <>
      <SelectField label={words.chains.chain} name="chain">
        {[...running, ...waiting].map((chain) => (
          <option key={chain} value={chain}>
            {chain}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.contract}
        name="contract"
        mono
        maxLength={128}
        error={fieldError(error, 'contract')}
      />
    </>
  );
}

function CheckedToken({ wish, checked }: { readonly wish: Wish; readonly checked: Checked }) {
  const { additions: text } = words;
  const { trouble, decimals } = checked;
  return (
    <Card title={text.checked}>
      <Stack>
        {trouble !== null && (
          <Notice tone="error" live>
            <bdi>{trouble}</bdi>
          </Notice>
        )}
        <Warnings warnings={checked.warnings} />
        <Facts>
          <Fact name={text.saysSymbol}>
            <bdi>{checked.symbol ?? text.notShown}</bdi>
          </Fact>
          <Fact name={text.decimals}>{decimals ?? text.notShown}</Fact>
          {trouble === null && <Fact name={text.tokenNumber}>{checked.currency_id}</Fact>}
        </Facts>
        {trouble === null && decimals !== null && (
          <NameToken wish={wish} symbol={checked.symbol ?? ''} decimals={decimals} />
        )}
      </Stack>
    </Card>
  );
}

interface NameTokenProps {
  readonly wish: Wish;
  readonly symbol: string;
  readonly decimals: number;
}

function NameToken({ wish, symbol: said, decimals }: NameTokenProps) {
  const { additions: text } = words;
  const navigate = useNavigate();
  const [symbol, setSymbol] = useState(said);
  const add = useAct('currencies.add-token', () => {
    say(fill(text.added, { name: symbol }));
    void navigate('/operator/chains');
  });
  return (
    <Form
      error={add.error}
      onSubmit={(typed) =>
        add.mutate({ ...wish, symbol: typed('symbol'), decimals, rate_asset: typed('worth') || null })
      }
    >
      <TextField
        label={text.symbol}
        name="symbol"
        hint={text.symbolHint}
        maxLength={32}
        value={symbol}
        onChange={({ target }) => setSymbol(target.value)}
        error={fieldError(add.error, 'symbol')}
      />
      <RateAssetField />
      <Notice tone="seen">
        {text.offAtFirst} {text.payouts}
      </Notice>
      <Actions>
        <Button type="submit" tone="primary" busy={add.isPending}>
          {fill(text.addNow, { name: symbol })}
        </Button>
      </Actions>
    </Form>
  );
}
