// The IP addresses from which an app may call the API, and the least value that is collected. An administrator changes both.
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { fieldError, type Typed } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';
import { AppCard, type AppCardProps } from './app-card.tsx';

export function NetworkCard({ app, mayChange }: AppCardProps) {
  const { merchantId = '' } = useParams();
  const { network: text } = words;
  const act = useAct('apps.change-network', () => say(words.apps.saved));
  const { allowed_ranges: ranges, min_operable_usd: least } = app.network;
  const save = (typed: Typed) =>
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
    });
  return (
    <AppCard title={text.title} save={text.save} onSave={save} {...{ app, mayChange, act }}>
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
        label={fill(words.settings.inUsd, { what: text.least })}
        hint={text.leastHint}
        name="least"
        inputMode="decimal"
        pattern="[0-9]{1,15}([.][0-9]{1,6})?"
        optional
        defaultValue={least ?? ''}
        readOnly={!mayChange}
      />
    </AppCard>
  );
}
