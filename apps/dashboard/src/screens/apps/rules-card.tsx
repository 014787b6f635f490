// The limits of an app's payouts, and who bears their fees. An administrator changes them.
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { CheckField, SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, type Typed } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { UsdField } from '../usd-field.tsx';
import { AppCard, type AppCardProps } from './app-card.tsx';

const HOUR_S = 3_600;

export function RulesCard({ app, mayChange }: AppCardProps) {
  const { merchantId = '' } = useParams();
  const { settings: text, apps } = words;
  const { payout_rules: rules } = app;
  const act = useAct('apps.change-payout-rules', () => say(apps.saved));
  const save = (typed: Typed) => {
    const usd = (name: string) => (typed(name) === '' ? null : typed(name));
    act.mutate({
      merchant_id: merchantId,
      app_id: app.app_id,
      version: app.version,
      payout_rules: {
        fee_mode: typed('fee-mode') === 'deducted' ? 'deducted' : 'on-top',
        max_usd: usd('max'),
        max_day_usd: usd('max-day'),
        approval_above_usd: usd('approval'),
        address_list: typed('list') !== '',
        cooling_seconds: Math.round(Number(typed('cooling')) * HOUR_S),
      },
    });
  };
  return (
    <AppCard
      title={text.rules}
      note={mayChange || <Notice tone="calm">{text.rulesForAdmins}</Notice>}
      save={text.saveRules}
      onSave={save}
      {...{ app, mayChange, act }}
    >
      <SelectField label={apps.feeMode} name="fee-mode" defaultValue={rules.fee_mode} disabled={!mayChange}>
        <option value="on-top">{text.onTop}</option>
        <option value="deducted">{text.deducted}</option>
      </SelectField>
      <UsdField label={apps.maxPayout} name="max" value={rules.max_usd} {...{ mayChange }} />
      <UsdField label={apps.maxDay} name="max-day" value={rules.max_day_usd} {...{ mayChange }} />
      <UsdField label={apps.approval} name="approval" value={rules.approval_above_usd} {...{ mayChange }} />
      <CheckField
        label={text.listOn}
        hint={text.listHint}
        name="list"
        defaultChecked={rules.address_list}
        disabled={!mayChange}
      />
      <TextField
        label={text.cooling}
        hint={text.coolingHint}
        name="cooling"
        inputMode="decimal"
        pattern="[0-9]{1,3}([.][0-9]{1,2})?"
        defaultValue={rules.cooling_seconds / HOUR_S}
        readOnly={!mayChange}
        error={fieldError(act.error, 'payout_rules')}
      />
    </AppCard>
  );
}
