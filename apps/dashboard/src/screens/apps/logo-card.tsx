// Sets or removes the picture beside the name on the payment pages of an app.
import { base64 } from '@scure/base';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { FileField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Card } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import type { AppCardProps } from './app-card.tsx';

/** The largest logo that the operation accepts. */
const MAX_BYTES = 65_536;

export function LogoCard({ app, mayChange }: AppCardProps) {
  const { merchantId = '' } = useParams();
  const { appLogo: text } = words;
  const [file, setFile] = useState<File | null>(null);
  // A new key makes a new form, whose file field is empty. Other changes of the app keep the form and the picked file.
  const [form, setForm] = useState(0);
  const act = useAct('apps.change-logo', () => {
    setFile(null);
    setForm((number) => number + 1);
    say(words.apps.saved);
  });
  const hasLogo = app.logo_digest !== null;
  const isLarge = file !== null && file.size > MAX_BYTES;
  const change = (logo: string | null) =>
    act.mutate({ merchant_id: merchantId, app_id: app.app_id, version: app.version, logo });
  const save = async () => {
    if (file !== null && !isLarge) change(base64.encode(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <Card title={text.title}>
      <p>{hasLogo ? text.is : text.none}</p>
      {mayChange && (
        <Form key={form} error={act.error} onSubmit={() => void save()}>
          <FileField
            label={text.file}
            hint={text.fileHint}
            accept="image/png,image/jpeg,image/webp"
            onPicked={setFile}
            error={isLarge ? text.large : fieldError(act.error, 'logo')}
          />
          <Actions>
            {hasLogo && (
              <Button tone="danger" busy={act.isPending} onClick={() => change(null)}>
                {text.remove}
              </Button>
            )}
            <Button type="submit" busy={act.isPending} disabled={file === null || isLarge}>
              {text.save}
            </Button>
          </Actions>
        </Form>
      )}
    </Card>
  );
}
