// Shows an AppKey once: what it is for, and that it will not be shown again.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { DocsButton } from '../docs-button.tsx';

interface KeyShownProps {
  readonly made: ResponseOf<'apps.create'>;
  readonly onClose: () => void;
}

export function KeyShown({ made, onClose }: KeyShownProps) {
  const { apps: text } = words;
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
        <DocsButton page="api/create-order">{text.firstOrder}</DocsButton>
        <Button tone="primary" onClick={onClose}>
          {text.kept}
        </Button>
      </Actions>
    </Dialog>
  );
}
