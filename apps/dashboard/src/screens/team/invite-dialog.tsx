// Inviting a person: the role, then the link, which is shown only once.
import { memberRoles } from '@ducat/contract/dashboard/operation';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { fill, words } from '../../words/words.ts';
import styles from './team.module.css';

type Role = (typeof memberRoles)[number];

interface InviteDialogProps {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function InviteDialog({ merchantId, open, onClose }: InviteDialogProps) {
  const { team: text } = words;
  const [role, setRole] = useState<Role>('viewer');
  const act = useAct('team.invite');
  const close = () => {
    act.reset();
    onClose();
  };
  if (act.data !== undefined)
    return (
      <LinkDialog {...{ open, onClose: close, role }} email={act.variables.email} invitation={act.data} />
    );
  return (
    <Dialog title={text.inviteTitle} description={text.inviteUnder} open={open} onClose={close}>
      <Form
        error={act.error}
        onSubmit={(typed) => act.mutate({ merchant_id: merchantId, email: typed('email'), role })}
      >
        <TextField
          label={words.signIn.email}
          name="email"
          type="email"
          error={fieldError(act.error, 'email')}
        />
        <SelectField
          label={text.role}
          hint={text.rolesMean[role]}
          value={role}
          onChange={(event) => setRole(memberRoles.find((each) => each === event.target.value) ?? role)}
        >
          {memberRoles.map((each) => (
            <option key={each} value={each}>
              {text.roles[each]}
            </option>
          ))}
        </SelectField>
        <Actions>
          <Button type="submit" tone="primary" busy={act.isPending}>
            {text.sendInvite}
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly invitation: ResponseOf<'team.invite'>;
  readonly email: string;
  readonly role: Role;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** The link is shown besides, where it is mailed: not every mail arrives. */
function LinkDialog({ invitation, email, role, open, onClose }: LinkDialogProps) {
  const { team: text } = words;
  const { is_mailed: isMailed, invitation_url: url } = invitation;
  return (
    <Dialog
      title={isMailed ? text.mailedTitle : text.linkTitle}
      description={fill(isMailed ? text.mailedUnder : text.linkUnder, { role: text.roles[role], email })}
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
