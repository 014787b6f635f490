// An AppKey, once: what it is for, and that it will not be shown again.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';

interface KeyShownProps {
  readonly made: ResponseOf<'apps.create'>;
  readonly onClose: () => void;
}

export function KeyShown({ made, onClose }: KeyShownProps) {
  const { apps: text } = words;
  const { data: session } = useSession();
  return (
    <Dialog title={text.keyTitle} open onClose={onClose} wide>
      <Notice tone="part">{text.keyOnce}</Notice>
      <Facts>
        <Fact name={text.appId}>
          <Copyable text={made.app_id} label={text.appId} />
        </Fact>
        <Fact name={text.appKey}>
          <Copyable text={made.app_key} label={text.appKey} />
        </Fact>
      </Facts>
      <Actions>
        {session !== undefined && (
          <a
            href={`${session.docs_url}/api/create-order`}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('plain')}
          >
            {text.firstOrder}
          </a>
        )}
        <Button tone="primary" onClick={onClose}>
          {text.kept}
        </Button>
      </Actions>
    </Dialog>
  );
}
