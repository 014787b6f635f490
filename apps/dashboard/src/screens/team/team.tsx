// The people of a merchant: their roles, invitations that are open, and inviting.
import { useParams } from 'react-router';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAnswer } from '../../api/queries.ts';
import { useMay, usePerson } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Answer } from '../../parts/data/answer.tsx';
import { RowMenu } from '../../parts/data/row-menu.tsx';
import { type Column, Table, TableSkeleton } from '../../parts/data/table.tsx';
import { MenuItem, MenuLabel, MenuSeparator } from '../../parts/menu.tsx';
import { Page, Stack } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { type Member, type MemberChange, MemberDialog } from './member-dialog.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { PersonName } from './person-name.tsx';

type TeamAnswer = ResponseOf<'team.list'>;

export function Team() {
  const { merchantId = '' } = useParams();
  const { team: text } = words;
  const may = useMay(merchantId)('administer');
  const query = useAnswer('team.list', { merchant_id: merchantId });
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<MemberChange | null>(null);
  const columns = memberColumns(may, usePerson().person_id, setChange);
  return (
    <Page
      title={text.title}
      under={text.under}
      actions={
        may && (
          <Button tone="primary" icon={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            {text.invite}
          </Button>
        )
      }
    >
      <Answer query={query} skeleton={<TableSkeleton columns={columns} rows={3} />}>
        {({ members, invitations }) => (
          <Stack>
            <Table label={text.title} columns={columns} rows={members} rowKey={(row) => row.person_id} />
            {invitations.length > 0 && <Invitations rows={invitations} mayWithdraw={may} />}
          </Stack>
        )}
      </Answer>
      <InviteDialog merchantId={merchantId} open={isInviting} onClose={() => setInviting(false)} />
      {change !== null && (
        <MemberDialog merchantId={merchantId} change={change} onClose={() => setChange(null)} />
      )}
    </Page>
  );
}

const rolesToGive = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const;

function memberColumns(
  may: boolean,
  me: string,
  onChange: (change: MemberChange) => void,
): readonly Column<Member>[] {
  const { team: text } = words;
  return [
    {
      key: 'name',
      head: text.name,
      name: true,
      cell: ({ name, email, person_id: id }) => <PersonName name={name} email={email} isMe={id === me} />,
    },
    {
      key: 'role',
      phone: 'end',
      head: text.role,
      cell: ({ role }) => <span title={text.rolesMean[role]}>{text.roles[role]}</span>,
    },
    { key: 'since', head: text.since, phone: 'out', cell: ({ since }) => <Time at={since} /> },
    {
      key: 'menu',
      head: '',
      phone: 'side',
      end: true,
      cell: (member) => may && <MemberMenu member={member} onChange={onChange} />,
    },
  ];
}

interface MemberMenuProps {
  readonly member: Member;
  readonly onChange: (change: MemberChange) => void;
}

function MemberMenu({ member, onChange }: MemberMenuProps) {
  const { team: text } = words;
  return (
    <RowMenu label={`${text.changeRole}: ${member.name}`}>
      <MenuLabel>{text.changeRole}</MenuLabel>
      {rolesToGive.map((role) => (
        <MenuItem
          key={role}
          checked={role === member.role}
          onSelect={() => role !== member.role && onChange({ member, role })}
        >
          {text.roles[role]}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem danger onSelect={() => onChange({ member, role: null })}>
        {text.remove}
      </MenuItem>
    </RowMenu>
  );
}

interface InvitationsProps {
  readonly rows: TeamAnswer['invitations'];
  readonly mayWithdraw: boolean;
}

function Invitations({ rows, mayWithdraw }: InvitationsProps) {
  const { merchantId = '' } = useParams();
  const { team: text } = words;
  const act = useAct('team.withdraw-invitation', () => say(text.withdrawn));
  return (
    <OpenInvitations
      title={text.open}
      rows={rows}
      columns={[{ key: 'role', head: text.role, phone: 'minor', cell: ({ role }) => text.roles[role] }]}
      isBusy={act.isPending}
      onWithdraw={mayWithdraw ? (id) => act.mutate({ merchant_id: merchantId, invitation_id: id }) : null}
    />
  );
}
