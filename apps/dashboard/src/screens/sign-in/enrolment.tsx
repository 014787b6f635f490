// Setting up the authenticator: the secret as a QR code, the first code, and the recovery codes, shown once.
import { type ReactNode, useState } from 'react';
import { Download } from 'lucide-react';
import { call } from '../../api/call.ts';
import { saveFile } from '../../api/download.ts';
import { addPasskey, supportsPasskeys } from '../../api/passkeys.ts';
import { queryClient, useAnswer } from '../../api/queries.ts';
import { useFactors } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable, CopyButton } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { CodeField } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { QrImage } from '../../parts/charts/qr-image.tsx';
import { words } from '../../words/words.ts';
import { browserName } from '../account/browser-name.ts';
import { failedWith } from './failed-with.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

export function Enrolment({ below }: { readonly below: ReactNode }) {
  const { enrol: text } = words;
  const { takes_passkeys: takesPasskeys } = useFactors();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const byPasskey = async () => {
    const { recovery_codes: made } = await addPasskey(browserName(navigator.userAgent).slice(0, 64));
    setCodes(made);
  };
  if (codes !== null)
    return (
      <SignInFrame title={text.codesTitle} under={text.codesUnder}>
        <RecoveryCodes codes={codes} />
        <Button tone="primary" onClick={() => void queryClient.invalidateQueries()}>
          {text.kept}
        </Button>
      </SignInFrame>
    );
  return (
    <SignInFrame title={text.title} under={text.under} below={below}>
      <EnrolmentForm onCodes={setCodes} />
      {takesPasskeys && supportsPasskeys() && (
        <PasskeyButton onPress={byPasskey}>{text.byPasskey}</PasskeyButton>
      )}
    </SignInFrame>
  );
}

/** Shown also in a dialog of the account, for a person who has no authenticator yet. */
export function EnrolmentForm({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const { enrol: text } = words;
  const begun = useAnswer('totp.begin', {}, { once: true });
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = (code: string) => {
    setBusy(true);
    call('totp.confirm', { code }).then(
      ({ recovery_codes }) => onCodes(recovery_codes),
      (failure: unknown) => {
        setError(failure);
        setBusy(false);
      },
    );
  };
  return (
    <Answer query={begun} skeleton={<Bone width="100%" height={220} />}>
      {({ setup_url: url, secret }) => (
        <Form
          error={error}
          failed={failedWith(error, words.signIn.codeFailed)}
          onSubmit={(typed) => confirm(typed('code'))}
        >
          <div className={styles['qr']}>
            <QrImage text={url} label={text.qr} size={180} />
          </div>
          <div>
            {text.secret}
            <br />
            <Copyable text={secret} label={text.secret} form="groups" />
          </div>
          <CodeField label={text.code} />
          <Button type="submit" tone="primary" busy={isBusy}>
            {text.confirm}
          </Button>
        </Form>
      )}
    </Answer>
  );
}

const CODES_FILE = 'ducat-recovery-codes.txt';

/** One code a line, after the address of their dashboard, because a person may have codes of several dashboards. */
function fileOf(codes: readonly string[]): Blob {
  const lines = [window.location.origin, '', ...codes, ''];
  return new Blob([lines.join('\n')], { type: 'text/plain' });
}

export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <div>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label={words.enrol.copyAll} />
      <Button icon={<Download size={16} aria-hidden />} onClick={() => saveFile(CODES_FILE, fileOf(codes))}>
        {words.enrol.saveAll}
      </Button>
    </div>
  );
}
