// The link of an invitation, which is shown only once.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { fill, words } from '../../words/words.ts';
import styles from './team.module.css';

interface InvitationDialogProps {
  readonly invitation: ResponseOf<'team.invite'>;
  readonly email: string;
  /** The role that the person gets, in words. */
  readonly role: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The link is shown even where it is mailed, because not every mail arrives. */
export function InvitationDialog({ invitation, email, role, open, onClose }: InvitationDialogProps) {
  const { team: text } = words;
  const { is_mailed: isMailed, invitation_url: url } = invitation;
  return (
    <Dialog
      title={isMailed ? text.mailedTitle : text.linkTitle}
      description={fill(isMailed ? text.mailedUnder : text.linkUnder, { role, email })}
      open={open}
      onClose={onClose}
    >
      <div className={styles['link']}>
        <Copyable text={url} label={text.link} />
      </div>
      <Actions>
        <Button tone="primary" onClick={onClose}>
          {text.done}
        </Button>
      </Actions>
    </Dialog>
  );
}
