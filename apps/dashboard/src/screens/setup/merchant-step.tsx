// The first merchant: a name is enough, and the operator who creates it owns it.
import { useState } from 'react';
import { newRequestId, useAct } from '../../api/queries.ts';
import type { Membership } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';
import { Step } from './step.tsx';

interface MerchantStepProps {
  readonly merchant: Membership | null;
  /** The e-mail of the person. */
  readonly email: string;
}

/** The fees of the gateway's own first merchant. */
const NO_FEES = { deposit_fee_ppm: 0, payout_fee_ppm: 0 };

export function MerchantStep({ merchant, email }: MerchantStepProps) {
  const { setup: text } = words;
  const [requestId] = useState(newRequestId);
  const act = useAct('merchants.create');
  return (
    <Step number={3} title={text.merchant} isDone={merchant !== null}>
      {merchant !== null ? (
        <p>
          <bdi>{merchant.merchant_name}</bdi>
        </p>
      ) : (
        <Form
          error={act.error}
          onSubmit={(typed) =>
            act.mutate({ request_id: requestId, name: typed('name'), ...NO_FEES, owner_email: email })
          }
        >
          <TextField
            label={words.merchants.name}
            hint={text.merchantUnder}
            name="name"
            maxLength={64}
            error={fieldError(act.error, 'name')}
          />
          <Actions>
            <Button type="submit" tone="primary" busy={act.isPending}>
              {text.merchantNow}
            </Button>
          </Actions>
        </Form>
      )}
    </Step>
  );
}
