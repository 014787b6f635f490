// How a token that was added is called and priced, as long as nothing was ever taken in it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAct } from '../../../api/queries.ts';
import { Dialog, SubmitActions } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { fieldError, Form } from '../../../parts/form.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { RateAssetField } from './rate-asset-field.tsx';

export interface AddedProps {
  readonly row: ResponseOf<'chains.list-added'>['added'][number];
  readonly onClose: () => void;
}

export function ChangeToken({ row, onClose }: AddedProps) {
  const { additions: text } = words;
  const { name, chain, currency_id: currencyId, token_terms: terms } = row;
  const act = useAct('currencies.change-token', () => {
    say(fill(text.changed, { name }));
    onClose();
  });
  return (
    <Dialog
      title={fill(text.changeTitle, { name })}
      description={text.changeTokenUnder}
      open
      onClose={onClose}
    >
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            chain,
            currency_id: currencyId ?? 0,
            symbol: typed('symbol'),
            rate_asset: typed('worth') || null,
          })
        }
      >
        <TextField
          label={text.symbol}
          name="symbol"
          hint={text.symbolHint}
          maxLength={32}
          defaultValue={terms?.symbol ?? ''}
          error={fieldError(act.error, 'symbol')}
        />
        <RateAssetField chosen={terms?.rate_asset ?? ''} />
        <SubmitActions onClose={onClose} isBusy={act.isPending} tone="primary">
          {fill(text.changeNow, { name })}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
