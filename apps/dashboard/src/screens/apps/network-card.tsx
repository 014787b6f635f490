// From where the API answers an app, and from which value on its money is moved. An administrator changes it.
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import type { AppAnswer } from './app-answer.ts';

interface NetworkCardProps {
  readonly app: AppAnswer;
  readonly mayChange: boolean;
}

export function NetworkCard({ app, mayChange }: NetworkCardProps) {
  const { merchantId = '' } = useParams();
  const { network: text } = words;
  const act = useAct('apps.change-network', () => say(words.apps.saved));
  const { allowed_ranges: ranges, min_operable_usd: least } = app.network;
  return (
    <Card title={text.title}>
      <Form
        key={app.version}
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            merchant_id: merchantId,
            app_id: app.app_id,
            version: app.version,
            network: {
              allowed_ranges: typed('ranges')
                .split(/[\s,]+/)
                .filter(Boolean),
              min_operable_usd: typed('least') || null,
            },
          })
        }
      >
        <TextAreaField
          label={text.ranges}
          hint={text.rangesHint}
          name="ranges"
          rows={3}
          optional
          defaultValue={ranges.join('\n')}
          readOnly={!mayChange}
          error={fieldError(act.error, 'network')}
        />
        <TextField
          label={`${text.least}, USD`}
          hint={text.leastHint}
          name="least"
          inputMode="decimal"
          pattern="[0-9]{1,15}([.][0-9]{1,6})?"
          optional
          defaultValue={least ?? ''}
          readOnly={!mayChange}
        />
        {mayChange && (
          <Actions>
            <Button type="submit" tone="primary" busy={act.isPending}>
              {text.save}
            </Button>
          </Actions>
        )}
      </Form>
    </Card>
  );
}
