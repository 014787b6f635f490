// One press, and the browser asks for a passkey; a failure is shown above the button.
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Refusal, Unreachable } from '../../api/refusal.ts';
import { words } from '../../words/words.ts';
import { Button, type Tone } from '../../parts/button.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { Notice } from '../../parts/notice.tsx';

interface PasskeyButtonProps {
  readonly tone?: Tone;
  readonly onPress: () => Promise<void>;
  readonly children: string;
}

export function PasskeyButton({ tone = 'plain', onPress, children }: PasskeyButtonProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const press = () => {
    setBusy(true);
    setError(null);
    onPress()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      {error !== null && (
        <Notice tone="error" live>
          {/* The text that a browser throws is for developers. It means that the person cancelled or waited too long. */}
          {isOfServer(error) ? refusalText(error) : words.signIn.passkeyFailed}
        </Notice>
      )}
      <Button tone={tone} wide busy={isBusy} onClick={press} icon={<KeyRound size={16} aria-hidden />}>
        {children}
      </Button>
    </>
  );
}

/** Such as a lock or an outage, and nothing about the passkey. */
function isOfServer(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Refusal && error.field === null);
}
