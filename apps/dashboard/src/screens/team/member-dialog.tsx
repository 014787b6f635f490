// Changes the role of a member or removes the member, and says first exactly what will happen.
import type { MemberRole } from '@ducat/contract/dashboard/operation';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAct } from '../../api/queries.ts';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { fill, words } from '../../words/words.ts';

export type Member = ResponseOf<'team.list'>['members'][number];

/** The new role, or null for none. */
export interface MemberChange {
  readonly member: Member;
  readonly role: MemberRole | null;
}

interface MemberDialogProps {
  readonly merchantId: string;
  readonly change: MemberChange;
  readonly onClose: () => void;
}

export function MemberDialog({ merchantId, change: { member, role }, onClose }: MemberDialogProps) {
  const { team: text } = words;
  const { name, person_id: personId, role: roleBefore } = member;
  const changed = role === null ? '' : fill(text.changed, { name, role: text.roles[role] });
  const changing = useAct('team.change-role', () => done(changed));
  const removing = useAct('team.remove', () => done(fill(text.removed, { name })));
  const act = role === null ? removing : changing;
  const done = (said: string) => {
    say(said);
    onClose();
  };
  const label =
    role === null ? fill(text.removeNow, { name }) : fill(text.changeTo, { name, role: text.roles[role] });
  const submit = () =>
    role === null
      ? removing.mutate({ merchant_id: merchantId, person_id: personId })
      : changing.mutate({ merchant_id: merchantId, person_id: personId, role_before: roleBefore, role });
  return (
    <Dialog
      title={role === null ? fill(text.removeTitle, { name }) : text.changeRole}
      description={role === null ? fill(text.removeUnder, { name }) : text.rolesMean[role]}
      open
      onClose={onClose}
    >
      <Form error={act.error} onSubmit={submit}>
        <SubmitActions
          onClose={onClose}
          isBusy={act.isPending}
          tone={role === null ? 'dangerous' : 'primary'}
        >
          {label}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}
