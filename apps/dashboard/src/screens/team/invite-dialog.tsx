// Inviting a person: the role, then the link, which is shown only once.
import { memberRoles } from '@ducat/contract/dashboard/operation';
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
      <Dialog
        title={text.linkTitle}
        description={fill(text.linkUnder, { role: text.roles[role] })}
        open={open}
        onClose={close}
      >
        <div className={styles['link']}>
          <Copyable text={act.data.invitation_url} label={text.link} />
        </div>
        <Actions>
          <Button tone="primary" onClick={close}>
            {text.done}
          </Button>
        </Actions>
      </Dialog>
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
