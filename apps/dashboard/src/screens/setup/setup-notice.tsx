// On an operator's overview: the way back to the set-up, while no merchant has people or the own one has no paid order.
import { Link } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { usePerson } from '../../api/session.ts';
import { Notice } from '../../parts/notice.tsx';
import { words } from '../../words/words.ts';
import styles from './setup.module.css';

export function SetupNotice() {
  const { memberships } = usePerson();
  const [own] = memberships;
  const setup = useAnswer('setup.read', {}, { enabled: own === undefined });
  const paid = { merchant_id: own?.merchant_id ?? '', status: 'PAID', limit: 1 } as const;
  const orders = useAnswer('orders.list', paid, { enabled: own !== undefined });
  // A list that has a cursor has not looked back to the first order yet.
  const isUnpaid = orders.data?.orders.length === 0 && orders.data.next_cursor === null;
  const isOpen = own === undefined ? setup.data?.has_members === false : isUnpaid;
  if (!isOpen) return null;
  return (
    <Notice tone="seen">
      {words.setup.unfinished}{' '}
      <Link to="/operator/set-up" className={styles['again']}>
        {words.setup.goOn}
      </Link>
    </Notice>
  );
}
