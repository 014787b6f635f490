// For operators: every merchant with its fees, and creating, pricing or suspending one.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { useFilters } from '../../api/use-filters.ts';
import { percentText } from '../../format/percents.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import { RowMenu } from '../../parts/data/row-menu.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { MenuItem, MenuSeparator } from '../../parts/menu.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { fill, words } from '../../words/words.ts';
import {
  CreateMerchantDialog,
  DeleteDialog,
  FeesDialog,
  LimitsDialog,
  SwitchDialog,
} from './merchant-dialogs.tsx';

type Row = ResponseOf<'merchants.list'>['merchants'][number];

/** Which dialog is open, and for whom. */
type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'fees' | 'limits' | 'switch' | 'delete'; readonly merchant: Row };

export function Merchants() {
  const { merchants: text } = words;
  const filters = useFilters();
  const navigate = useNavigate();
  const query = useAnswer('merchants.list', filters.cursor, { keep: true });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const columns = merchantColumns(setOpen, (id) => void navigate(`/m/${id}`));
  const create = (
    <Button tone="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setOpen({ kind: 'create' })}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} under={text.under} actions={create}>
      <PagedTable
        query={query}
        rowsOf={({ merchants }) => merchants}
        skeletonRows={6}
        empty={<Empty title={text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={(row) => row.merchant_id}
        pages={filters.pages}
      />
      {open?.kind === 'create' && <CreateMerchantDialog onClose={close} />}
      {open?.kind === 'fees' && <FeesDialog merchant={open.merchant} onClose={close} />}
      {open?.kind === 'limits' && <LimitsDialog merchant={open.merchant} onClose={close} />}
      {open?.kind === 'switch' && <SwitchDialog merchant={open.merchant} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDialog merchant={open.merchant} onClose={close} />}
    </Page>
  );
}

function merchantColumns(
  onOpen: (open: Open) => void,
  onVisit: (merchantId: string) => void,
): readonly Column<Row>[] {
  const { merchants: text } = words;
  return [
    { key: 'name', head: text.name, name: true, cell: (row) => <MerchantName row={row} /> },
    { key: 'state', head: words.orders.state, phone: 'end', cell: (row) => <MerchantBadge row={row} /> },
    { key: 'apps', head: text.apps, end: true, phone: 'out', cell: ({ apps }) => apps },
    {
      key: 'deposit',
      head: text.depositFee,
      end: true,
      phone: 'named',
      cell: ({ deposit_fee_ppm: ppm }) => percentText(ppm),
    },
    {
      key: 'payout',
      head: text.payoutFee,
      end: true,
      phone: 'named',
      cell: ({ payout_fee_ppm: ppm }) => percentText(ppm),
    },
    { key: 'since', head: text.since, phone: 'out', cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'menu',
      head: '',
      end: true,
      phone: 'side',
      cell: (merchant) => <MerchantMenu merchant={merchant} onOpen={onOpen} onVisit={onVisit} />,
    },
  ];
}

/** The name, marked where the merchant signed up without an invitation and so is known to no operator. */
function MerchantName({ row }: { readonly row: Row }) {
  return (
    <>
      <bdi>{row.name}</bdi>{' '}
      {row.is_from_sign_up && (
        <Badge tone="seen" icon="going">
          {words.merchants.signedUp}
        </Badge>
      )}
    </>
  );
}

function MerchantBadge({ row }: { readonly row: Row }) {
  const { merchants: text } = words;
  if (row.apps === 0 && !row.is_suspended)
    return (
      <Badge tone="calm" icon="waiting">
        {text.noApps}
      </Badge>
    );
  return (
    <Badge tone={row.is_suspended ? 'error' : 'paid'} icon={row.is_suspended ? 'off' : 'done'}>
      {row.is_suspended ? text.suspended : text.active}
    </Badge>
  );
}

interface MerchantMenuProps {
  readonly merchant: Row;
  readonly onOpen: (open: Open) => void;
  readonly onVisit: (merchantId: string) => void;
}

function MerchantMenu({ merchant, onOpen, onVisit }: MerchantMenuProps) {
  const { merchants: text } = words;
  const { name, is_suspended: isSuspended } = merchant;
  return (
    <RowMenu label={fill(text.more, { name })}>
      <MenuItem onSelect={() => onVisit(merchant.merchant_id)}>{fill(text.open, { name })}</MenuItem>
      <MenuItem onSelect={() => onOpen({ kind: 'fees', merchant })}>{text.changeFees}</MenuItem>
      <MenuItem onSelect={() => onOpen({ kind: 'limits', merchant })}>{text.changeLimits}</MenuItem>
      <MenuSeparator />
      <MenuItem danger={!isSuspended} onSelect={() => onOpen({ kind: 'switch', merchant })}>
        {isSuspended ? text.resume : text.suspend}
      </MenuItem>
      {isSuspended && merchant.is_from_sign_up && merchant.apps === 0 && (
        <MenuItem danger onSelect={() => onOpen({ kind: 'delete', merchant })}>
          {text.delete}
        </MenuItem>
      )}
    </RowMenu>
  );
}
