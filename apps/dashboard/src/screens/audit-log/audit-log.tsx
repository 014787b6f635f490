// What people of one merchant changed.
import { useParams } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { Entries, useCursors } from './entries.tsx';

export function AuditLog() {
  const { merchantId = '' } = useParams();
  const { cursor, pages } = useCursors();
  const query = useAnswer(
    'audit-log.list',
    { merchant_id: merchantId, ...(cursor === undefined ? {} : { cursor }) },
    { keep: true },
  );
  return (
    <Page title={words.auditLog.title} under={words.auditLog.under}>
      <Entries query={query} pages={pages} />
    </Page>
  );
}
