// What an app takes and how its payment page looks: tolerance, currencies, colour, contact, frames, and the test flag.
import { MAX_PAYER_CONTACT } from '@ducat/contract/fields/payer-contact';
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { CheckField, TextField } from '../../parts/field.tsx';
import { fieldError, type Typed } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { AppCard, type AppCardProps } from './app-card.tsx';
import { CurrencyFields, useCurrenciesOff } from './currency-fields.tsx';

export function SettingsCard({ app, mayChange }: AppCardProps) {
  const { merchantId = '' } = useParams();
  const { settings: text } = words;
  const act = useAct('apps.change', () => say(words.apps.saved));
  const currenciesOff = useCurrenciesOff(app);
  const save = (typed: Typed) =>
    act.mutate({
      merchant_id: merchantId,
      app_id: app.app_id,
      version: app.version,
      tolerance_ppm: Math.round(Number(typed('tolerance').replace(',', '.')) * 10_000),
      ...currenciesOff(typed),
      page: {
        accent: typed('accent') === '' ? null : typed('accent').toLowerCase(),
        contact: typed('contact') === '' ? null : typed('contact'),
        frame_origins: typed('frames').split(/\s+/).filter(Boolean),
        is_test: typed('test') !== '',
      },
    });
  return (
    <AppCard title={text.title} save={text.save} onSave={save} {...{ app, mayChange, act }}>
      <TextField
        label={words.order.tolerance}
        hint={text.toleranceHint}
        name="tolerance"
        inputMode="decimal"
        pattern="[0-9]{1,2}([.,][0-9]{1,4})?"
        defaultValue={app.tolerance_ppm / 10_000}
        readOnly={!mayChange}
        error={fieldError(act.error, 'tolerance_ppm')}
      />
      <CurrencyFields app={app} mayChange={mayChange} />
      <PageFields app={app} mayChange={mayChange} error={act.error} />
    </AppCard>
  );
}

/** How the payment page of the app looks, and who may frame it. */
function PageFields({ app, mayChange, error }: AppCardProps & { readonly error: unknown }) {
  const { settings: text } = words;
  return (
    <>
      <TextField
        label={text.accent}
        hint={text.accentHint}
        name="accent"
        pattern="#[0-9a-fA-F]{6}"
        maxLength={7}
        optional
        mono
        defaultValue={app.page.accent ?? ''}
        readOnly={!mayChange}
      />
      <TextField
        label={text.contact}
        hint={text.contactHint}
        name="contact"
        maxLength={MAX_PAYER_CONTACT}
        optional
        defaultValue={app.page.contact ?? ''}
        readOnly={!mayChange}
        error={fieldError(error, 'contact')}
      />
      <TextField
        label={text.frames}
        hint={text.framesHint}
        name="frames"
        optional
        defaultValue={app.page.frame_origins.join(' ')}
        readOnly={!mayChange}
        error={fieldError(error, 'frame_origins')}
      />
      <CheckField
        label={text.test}
        hint={text.testHint}
        name="test"
        defaultChecked={app.page.is_test}
        disabled={!mayChange}
      />
    </>
  );
}
