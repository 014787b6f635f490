// The first app: its AppKey is shown once, as that of every app.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { newRequestId, useAct } from '../../api/queries.ts';
import type { Membership } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';
import { KeyShown } from '../apps/key-shown.tsx';
import { Step } from './step.tsx';

export type FirstApp = ResponseOf<'apps.list'>['apps'][number];

interface AppStepProps {
  readonly merchant: Membership | null;
  readonly app: FirstApp | null;
  /** Whether the signer gives out keys, from which the addresses of an app are derived. */
  readonly hasKeys: boolean;
}

export function AppStep({ merchant, app, hasKeys }: AppStepProps) {
  const { setup: text, apps } = words;
  const [isKept, setKept] = useState(false);
  const [requestId] = useState(newRequestId);
  const act = useAct('apps.create');
  const isLater = app === null && (merchant === null || !hasKeys);
  return (
    <Step number={4} title={text.app} isDone={app !== null} isLater={isLater}>
      {app !== null ? (
        <p>
          <bdi>{app.name}</bdi>
        </p>
      ) : (
        <Form
          error={act.error}
          onSubmit={(typed) =>
            act.mutate({
              merchant_id: merchant?.merchant_id ?? '',
              request_id: requestId,
              name: typed('name'),
              kind: 'PAYMENT',
              ...(typed('webhook') === '' ? {} : { callback_url: typed('webhook') }),
            })
          }
        >
          <TextField
            label={apps.name}
            hint={apps.under}
            name="name"
            maxLength={64}
            error={fieldError(act.error, 'name')}
          />
          <TextField
            label={apps.webhook}
            name="webhook"
            type="url"
            optional
            error={fieldError(act.error, 'callback_url')}
          />
          <Actions>
            <Button type="submit" tone="primary" busy={act.isPending}>
              {apps.createNow}
            </Button>
          </Actions>
        </Form>
      )}
      {act.data !== undefined && !isKept && <KeyShown made={act.data} onClose={() => setKept(true)} />}
    </Step>
  );
}
