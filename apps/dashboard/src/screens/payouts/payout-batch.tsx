// Many payouts out of a CSV file: read, priced line by line, confirmed once, and made one after the other.
import { useParams } from 'react-router';
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { useAnswer } from '../../api/queries.ts';
import { payoutLines, type Unfit } from '../../format/payout-lines.ts';
import { trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Actions } from '../../parts/dialog.tsx';
import { FileField, SelectField } from '../../parts/field.tsx';
import { Form, type Typed } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { BackLink, Card, Page } from '../../parts/page.tsx';
import { fill, words } from '../../words/words.ts';
import { BatchLines } from './batch-lines.tsx';
import type { Batch } from './use-batch.ts';

/** A larger file holds more lines than are accepted. */
const MAX_FILE_BYTES = 100_000;

/**
 * Its name is a hash of the file's content and of the balance that pays. The request_ids are made of it, so a file that is
 * sent again makes no payout twice.
 */
type ReadBatch = Omit<Batch, 'merchantId'>;

export function PayoutBatch() {
  const { merchantId = '' } = useParams();
  const { batch: text } = words;
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<readonly Unfit[]>([]);
  const [batch, setBatch] = useState<ReadBatch | null>(null);
  const read = async (typed: Typed) => {
    if (file === null) return;
    const [appId = '', currency = ''] = typed('source').split(' ');
    const content = file.size > MAX_FILE_BYTES ? null : await file.text();
    const found =
      content === null
        ? ({ ok: false, unfit: [{ line: null, why: 'too-many' }] } as const)
        : payoutLines(content);
    setUnfit(found.ok ? [] : found.unfit);
    if (!found.ok || content === null) return setBatch(null);
    const name = await nameOf(`${appId} ${currency} ${content}`);
    setBatch({ appId, currencyId: Number(currency), lines: found.lines, name });
  };
  return (
    <Page
      title={text.title}
      under={text.under}
      back={<BackLink to={`/m/${merchantId}/payouts`}>{words.payouts.title}</BackLink>}
    >
      <Card>
        <Form error={null} onSubmit={(typed) => void read(typed)}>
          <SourceField merchantId={merchantId} />
          <FileField label={text.file} hint={text.fileHint} accept=".csv,text/csv" onPicked={setFile} />
          <Actions>
            <Button type="submit" tone="primary" disabled={file === null}>
              {text.read}
            </Button>
          </Actions>
        </Form>
        {unfit.map(({ line, why }) => (
          <Notice key={`${line} ${why}`} tone="error" live>
            {line === null ? text.unfit[why] : fill(text.unfitLine, { line, why: text.unfit[why] })}
          </Notice>
        ))}
      </Card>
      {batch !== null && <BatchLines key={batch.name} merchantId={merchantId} {...batch} />}
    </Page>
  );
}

/** Chooses a balance of an app. */
function SourceField({ merchantId }: { readonly merchantId: string }) {
  const currencies = useCurrencies();
  const balances = useAnswer('balances.read', { merchant_id: merchantId }).data?.balances ?? [];
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  return (
    <SelectField label={words.newPayout.source} name="source" required>
      {balances.map(({ app_id: id, currency_id: currency, operable }) => (
        <option key={`${id} ${currency}`} value={`${id} ${currency}`}>
          {`${currencies.name(currency)}: ${trimZeros(operable, 2)} (${apps.find((app) => app.app_id === id)?.name ?? id})`}
        </option>
      ))}
    </SelectField>
  );
}

async function nameOf(content: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return Array.from(new Uint8Array(hash).slice(0, 20), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
