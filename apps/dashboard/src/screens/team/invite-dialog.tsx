// Inviting a person: the e-mail and the role, then the link.
import { memberRoles } from '@ducat/contract/dashboard/operation';
import { useState } from 'react';
import { newRequestId, useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { words } from '../../words/words.ts';
import { InvitationDialog } from './invitation-dialog.tsx';

type Role = (typeof memberRoles)[number];

interface InviteDialogProps {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function InviteDialog({ merchantId, open, onClose }: InviteDialogProps) {
  const { team: text } = words;
  const [role, setRole] = useState<Role>('viewer');
  const [requestId, setRequestId] = useState(newRequestId);
  const act = useAct('team.invite');
  const close = () => {
    act.reset();
    setRequestId(newRequestId());
    onClose();
  };
  if (act.data !== undefined)
    return (
      <InvitationDialog
        {...{ open, onClose: close }}
        role={text.roles[role]}
        email={act.variables.email}
        invitation={act.data}
      />
    );
  return (
    <Dialog title={text.inviteTitle} description={text.inviteUnder} open={open} onClose={close}>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({ merchant_id: merchantId, request_id: requestId, email: typed('email'), role })
        }
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
