// Whether the signer has its seed; where it has none, the command that makes one. The words are never shown here.
import { useSession } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Command } from '../../parts/copyable.tsx';
import { Notice } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';
import styles from './setup.module.css';

/** The command as the installation guide has it. */
const COMMAND =
  'sudo -u ducat-signer node packages/signer/bin/ducat-signer.mjs create --keystore /var/lib/ducat-signer/keystore.json';

interface KeysStateProps {
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onLook: () => void;
}

export function KeysState({ isReady, isBusy, onLook }: KeysStateProps) {
  const { setup: text } = words;
  const { data: session } = useSession();
  if (isReady) return <Notice tone="paid">{text.keysReady}</Notice>;
  return (
    <>
      <Notice tone="part" live>
        {text.keysAway}
      </Notice>
      <Command text={COMMAND} label={text.keysCommand} />
      <p>{text.keysThen}</p>
      <div className={styles['actions']}>
        <Button busy={isBusy} onClick={onLook}>
          {text.lookAgain}
        </Button>
        {session !== undefined && (
          <a href={`${session.docs_url}/operate/keys`} target="_blank" rel="noreferrer">
            {text.keysGuide}
          </a>
        )}
      </div>
    </>
  );
}
