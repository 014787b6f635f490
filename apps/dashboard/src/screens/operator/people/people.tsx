// For operators: everybody who may sign in, and the invitations of further operators.
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useAct, useAnswer } from '../../../api/queries.ts';
import { usePerson } from '../../../api/session.ts';
import { useFilters } from '../../../api/use-filters.ts';
import { Button } from '../../../parts/button.tsx';
import { Empty } from '../../../parts/data/empty.tsx';
import { PagedTable } from '../../../parts/data/paged-table.tsx';
import { RowMenu } from '../../../parts/data/row-menu.tsx';
import type { Column } from '../../../parts/data/table.tsx';
import { MenuItem, MenuSeparator } from '../../../parts/menu.tsx';
import { Page, Stack } from '../../../parts/page.tsx';
import { say } from '../../../parts/toasts.tsx';
import { fill, words } from '../../../words/words.ts';
import { OpenInvitations } from '../../team/open-invitations.tsx';
import { PersonName } from '../../team/person-name.tsx';
import {
  InviteOperatorDialog,
  type PeopleAnswer,
  type PersonRow,
  RemoveDialog,
  ResetDialog,
} from './dialogs.tsx';
import styles from './people.module.css';

/** Which dialog is open, and about whom. */
type Open = { readonly kind: 'invite' } | { readonly kind: 'reset' | 'remove'; readonly person: PersonRow };

export function People() {
  const { people: text } = words;
  const filters = useFilters();
  const query = useAnswer('people.list', filters.cursor, { keep: true });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { person_id: me } = usePerson();
  const invitations = query.data?.invitations ?? [];
  const invite = (
    <Button
      tone="primary"
      icon={<UserPlus size={16} aria-hidden />}
      onClick={() => setOpen({ kind: 'invite' })}
    >
      {text.invite}
    </Button>
  );
  return (
    <Page title={text.title} under={text.under} actions={invite}>
      <Stack>
        <PagedTable
          query={query}
          rowsOf={({ people }) => people}
          skeletonRows={6}
          empty={<Empty title={text.title}>{text.under}</Empty>}
          label={text.title}
          columns={personColumns(me, setOpen)}
          rowKey={(row) => row.person_id}
          pages={filters.pages}
        />
        {invitations.length > 0 && <Invitations rows={invitations} />}
      </Stack>
      {open?.kind === 'invite' && <InviteOperatorDialog onClose={close} />}
      {open?.kind === 'reset' && <ResetDialog person={open.person} onClose={close} />}
      {open?.kind === 'remove' && <RemoveDialog person={open.person} onClose={close} />}
    </Page>
  );
}

function personColumns(me: string, onOpen: (open: Open) => void): readonly Column<PersonRow>[] {
  const { people: text, team } = words;
  return [
    {
      key: 'name',
      head: team.name,
      name: true,
      cell: ({ name, email, person_id: id }) => <PersonName name={name} email={email} isMe={id === me} />,
    },
    {
      key: 'rights',
      head: text.rights,
      phone: 'minor',
      cell: (person) => <Rights person={person} />,
    },
    { key: 'factors', head: text.factors, phone: 'named', cell: factorsText },
    {
      key: 'menu',
      head: '',
      end: true,
      phone: 'side',
      cell: (person) => person.person_id !== me && <PersonMenu person={person} onOpen={onOpen} />,
    },
  ];
}

function Rights({ person: { is_operator: isOperator, memberships } }: { readonly person: PersonRow }) {
  const { people: text, team } = words;
  if (!isOperator && memberships.length === 0)
    return <span className={styles['minor']}>{text.noRights}</span>;
  return (
    <span className={styles['rights']}>
      {isOperator && <span>{text.operator}</span>}
      {memberships.map(({ merchant_id: id, merchant_name: name, role }) => (
        <span key={id}>
          <bdi>{name}</bdi> · {team.roles[role]}
        </span>
      ))}
    </span>
  );
}

function factorsText({ has_authenticator: hasAuthenticator, passkeys }: PersonRow): string {
  const { people: text } = words;
  const factors = [
    ...(hasAuthenticator ? [text.authenticator] : []),
    ...(passkeys > 0 ? [fill(text.passkeys, { count: passkeys })] : []),
  ];
  return factors.length === 0 ? text.noFactor : factors.join(', ');
}

interface PersonMenuProps {
  readonly person: PersonRow;
  readonly onOpen: (open: Open) => void;
}

function PersonMenu({ person, onOpen }: PersonMenuProps) {
  const { people: text } = words;
  const hasFactor = person.has_authenticator || person.passkeys > 0;
  return (
    <RowMenu label={fill(text.more, { name: person.name })}>
      {hasFactor && (
        <>
          <MenuItem onSelect={() => onOpen({ kind: 'reset', person })}>{text.reset}</MenuItem>
          <MenuSeparator />
        </>
      )}
      <MenuItem danger onSelect={() => onOpen({ kind: 'remove', person })}>
        {text.remove}
      </MenuItem>
    </RowMenu>
  );
}

function Invitations({ rows }: { readonly rows: PeopleAnswer['invitations'] }) {
  const { people: text, team } = words;
  const act = useAct('people.withdraw-invitation', () => say(team.withdrawn));
  return (
    <OpenInvitations
      title={text.open}
      rows={rows}
      isBusy={act.isPending}
      onWithdraw={(id) => act.mutate({ invitation_id: id })}
    />
  );
}
