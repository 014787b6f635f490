// The static QR codes of a merchant: a list that opens each code's page, and making a new code.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useNavigate, useParams } from 'react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type Currencies, useCurrencies } from '../../api/currencies.ts';
import { newRequestId, useAct, useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useFilters } from '../../api/use-filters.ts';
import { isZero, trimZeros } from '../../format/amounts.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/data/empty.tsx';
import { PagedTable } from '../../parts/data/paged-table.tsx';
import type { Column } from '../../parts/data/table.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { words } from '../../words/words.ts';

type Row = ResponseOf<'qr-codes.list'>['qr_codes'][number];

export function QrCodes() {
  const { merchantId = '' } = useParams();
  const { qrCodes: text } = words;
  const filters = useFilters();
  const navigate = useNavigate();
  const may = useMay(merchantId)('develop');
  const [isMaking, setMaking] = useState(false);
  const page = (id: number) => `/m/${merchantId}/qr-codes/${id}`;
  const query = useAnswer('qr-codes.list', { merchant_id: merchantId, ...filters.cursor }, { keep: true });
  const columns = codeColumns(useCurrencies());
  const create = may && (
    <Button tone="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {text.create}
    </Button>
  );
  return (
    <Page title={text.title} under={text.under} actions={create}>
      <PagedTable
        query={query}
        rowsOf={({ qr_codes }) => qr_codes}
        skeletonRows={4}
        empty={<Empty title={text.empty}>{text.emptyUnder}</Empty>}
        label={text.title}
        columns={columns}
        rowKey={(row) => String(row.qr_code_id)}
        to={(row) => page(row.qr_code_id)}
        pages={filters.pages}
      />
      {isMaking && <CreateQrCode onClose={() => setMaking(false)} onMade={(id) => void navigate(page(id))} />}
    </Page>
  );
}

interface CreateQrCodeProps {
  readonly onClose: () => void;
  readonly onMade: (qrCodeId: number) => void;
}

function CreateQrCode({ onClose, onMade }: CreateQrCodeProps) {
  const { merchantId = '' } = useParams();
  const { qrCodes: text } = words;
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const ofCodes = apps.filter(({ kind, enabled }) => kind === 'QR_CODE' && enabled);
  const [requestId] = useState(newRequestId);
  const act = useAct('qr-codes.create', ({ qr_code: made }) => onMade(made.qr_code_id));
  return (
    <Dialog title={text.create} description={text.createUnder} open onClose={onClose}>
      <Form
        error={act.error}
        onSubmit={(typed) =>
          act.mutate({
            merchant_id: merchantId,
            request_id: requestId,
            app_id: typed('app'),
            currency_id: Number(typed('currency')),
            name: typed('name'),
            amount: typed('amount') === '' ? '0' : typed('amount'),
          })
        }
      >
        <SelectField
          label={words.orders.app}
          name="app"
          hint={ofCodes.length === 0 ? text.noApp : undefined}
          required
        >
          {ofCodes.map(({ app_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField label={text.name} name="name" maxLength={64} error={fieldError(act.error, 'name')} />
        <WantedFields error={act.error} />
        <SubmitActions onClose={onClose} isBusy={act.isPending} disabled={ofCodes.length === 0}>
          {text.createNow}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

/** The currency, and the amount where the payer does not choose it. */
function WantedFields({ error }: { readonly error: unknown }) {
  const { qrCodes: text } = words;
  const currencies = useCurrencies();
  return (
    <>
      <SelectField label={words.orders.coin} name="currency">
        {currencies.list
          .filter((each) => each.is_on)
          .map(({ currency_id: id }) => (
            <option key={id} value={id}>
              {currencies.name(id)}
            </option>
          ))}
      </SelectField>
      <TextField
        label={words.orders.amount}
        hint={text.amountHint}
        name="amount"
        inputMode="decimal"
        optional
        error={fieldError(error, 'amount')}
      />
    </>
  );
}

function codeColumns(currencies: Currencies): readonly Column<Row>[] {
  const { qrCodes: text } = words;
  return [
    { key: 'name', head: text.name, name: true, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'coin',
      head: words.orders.coin,
      phone: 'minor',
      cell: ({ currency_id: id }) => currencies.name(id),
    },
    {
      key: 'amount',
      head: words.orders.amount,
      end: true,
      phone: 'out',
      cell: ({ default_amount: amount, currency_id: id }) =>
        isZero(amount) ? (
          text.anyAmount
        ) : (
          <Money amount={trimZeros(amount, 2)} symbol={currencies.symbol(id)} />
        ),
    },
    {
      key: 'got',
      head: words.order.got,
      end: true,
      phone: 'end',
      cell: ({ collected, currency_id: id }) => (
        <Money amount={trimZeros(collected, 2)} symbol={currencies.symbol(id)} />
      ),
    },
    {
      key: 'state',
      head: words.orders.state,
      phone: 'end',
      cell: ({ disabled_time: disabled }) => (
        <Badge tone={disabled === null ? 'paid' : 'calm'} icon={disabled === null ? 'done' : 'off'}>
          {disabled === null ? text.inUse : text.disabled}
        </Badge>
      ),
    },
  ];
}
