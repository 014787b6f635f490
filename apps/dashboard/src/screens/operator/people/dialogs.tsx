// What an operator does with a person: invites a further operator, takes a lost second factor away, ends all rights.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useState } from 'react';
import { newRequestId, useAct } from '../../../api/queries.ts';
import { ReasonDialog } from '../../../parts/data/reason-dialog.tsx';
import { Dialog, SubmitActions } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { fieldError, Form } from '../../../parts/form.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { InvitationDialog } from '../../team/invitation-dialog.tsx';

export type PeopleAnswer = ResponseOf<'people.list'>;
export type PersonRow = PeopleAnswer['people'][number];

interface CloseProps {
  readonly onClose: () => void;
}

interface PersonDialogProps extends CloseProps {
  readonly person: PersonRow;
}

export function InviteOperatorDialog({ onClose }: CloseProps) {
  const { people: text, team } = words;
  const [requestId] = useState(newRequestId);
  const act = useAct('people.invite');
  if (act.data !== undefined)
    return (
      <InvitationDialog
        invitation={act.data}
        email={act.variables.email}
        role={text.operator}
        open
        onClose={onClose}
      />
    );
  return (
    <Dialog title={text.invite} description={text.inviteUnder} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) => act.mutate({ request_id: requestId, email: typed('email') })}
      >
        <TextField
          label={words.signIn.email}
          name="email"
          type="email"
          error={fieldError(act.error, 'email')}
        />
        <SubmitActions onClose={onClose} isBusy={act.isPending}>
          {team.sendInvite}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

/** The title names the e-mail, because people choose their names and two may have the same. */
export function ResetDialog({ person: { person_id: personId, name, email }, onClose }: PersonDialogProps) {
  const { people: text } = words;
  const act = useAct('people.reset', () => {
    say(fill(text.resetDone, { name }));
    onClose();
  });
  return (
    <ReasonDialog
      title={fill(text.resetTitle, { name: email })}
      description={fill(text.resetUnder, { name })}
      confirm={text.resetNow}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ person_id: personId, reason })}
    />
  );
}

export function RemoveDialog({ person: { person_id: personId, name, email }, onClose }: PersonDialogProps) {
  const { people: text } = words;
  const act = useAct('people.remove', () => {
    say(fill(text.removed, { name }));
    onClose();
  });
  return (
    <ReasonDialog
      title={fill(text.removeTitle, { name: email })}
      description={fill(text.removeUnder, { name })}
      confirm={fill(text.removeNow, { name: email })}
      open
      isBusy={act.isPending}
      error={act.error}
      onClose={onClose}
      onConfirm={(reason) => act.mutate({ person_id: personId, reason })}
    />
  );
}
