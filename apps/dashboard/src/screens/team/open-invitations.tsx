// The list of open invitations. Each has a button that withdraws it.
import { Button } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/data/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/words.ts';
import styles from './team.module.css';

export interface OpenInvitation {
  readonly invitation_id: string;
  readonly email: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

interface OpenInvitationsProps<Row extends OpenInvitation> {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Between the e-mail and the end of the invitation. */
  readonly columns?: readonly Column<Row>[];
  readonly isBusy: boolean;
  /** Null for a person who may only look. */
  readonly onWithdraw: ((invitationId: string) => void) | null;
}

export function OpenInvitations<Row extends OpenInvitation>({
  title,
  rows,
  columns = [],
  isBusy,
  onWithdraw,
}: OpenInvitationsProps<Row>) {
  const { team: text } = words;
  const all: readonly Column<Row>[] = [
    { key: 'email', head: words.signIn.email, name: true, cell: ({ email }) => <bdi>{email}</bdi> },
    ...columns,
    {
      key: 'expires',
      head: text.expires,
      phone: 'minor',
      cell: ({ expires_at: at }) => <Time at={at} form="relative" />,
    },
    {
      key: 'withdraw',
      head: '',
      phone: 'side',
      end: true,
      cell: ({ invitation_id: id }) =>
        onWithdraw !== null && (
          <Button tone="quiet" busy={isBusy} onClick={() => onWithdraw(id)}>
            {text.withdraw}
          </Button>
        ),
    },
  ];
  return (
    <section className={styles['invitations']}>
      <h2>{title}</h2>
      <Table label={title} columns={all} rows={rows} rowKey={(row) => row.invitation_id} />
    </section>
  );
}
