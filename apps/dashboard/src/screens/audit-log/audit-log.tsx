// What people of one merchant changed.
import { useParams } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';
import { Entries, wishOf } from './entries.tsx';

export function AuditLog() {
  const { merchantId = '' } = useParams();
  const filters = useFilters();
  const query = useAnswer('audit-log.list', { merchant_id: merchantId, ...wishOf(filters) }, { keep: true });
  return (
    <Page title={words.auditLog.title} under={words.auditLog.under}>
      <Entries query={query} filters={filters} />
    </Page>
  );
}
