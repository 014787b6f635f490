// Sends all given up or delivered events of one app and a time span again, a thousand at a time.
import { useParams } from 'react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useAnswer } from '../../api/queries.ts';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Form, type Typed } from '../../parts/form.tsx';
import { say } from '../../parts/toasts.tsx';
import { counted, words } from '../../words/words.ts';

interface ResendSpanDialogProps {
  /** The app that the list shows; "" for all apps. */
  readonly app: string;
  readonly onClose: () => void;
}

export function ResendSpanDialog({ app, onClose }: ResendSpanDialogProps) {
  const { merchantId = '' } = useParams();
  const { resendSpan: text } = words;
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const resend = async (typed: Typed) => {
    setBusy(true);
    try {
      const sent = await resendAll({
        merchant_id: merchantId,
        app_id: typed('app'),
        state: typed('state') === 'delivered' ? 'delivered' : 'dead',
        from: secondsOf(typed('from')),
        to: secondsOf(typed('to')),
      });
      say(counted(text.done, sent));
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={text.title} description={text.under} open onClose={onClose}>
      <Form error={error} onSubmit={(typed) => void resend(typed)}>
        <SelectField key={apps.length} label={words.orders.app} name="app" defaultValue={app}>
          {apps.map(({ app_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField label={words.orders.state} name="state">
          <option value="dead">{words.webhookStates.dead}</option>
          <option value="delivered">{words.webhookStates.delivered}</option>
        </SelectField>
        <TextField label={text.from} name="from" type="datetime-local" />
        <TextField label={text.to} name="to" type="datetime-local" />
        <SubmitActions onClose={onClose} isBusy={isBusy} disabled={apps.length === 0}>
          {text.send}
        </SubmitActions>
      </Form>
    </Dialog>
  );
}

type Span = Parameters<typeof call<'webhooks.resend-span'>>[1];

/** One call resends a thousand events at most, and returns the cursor from which the next call goes on. */
async function resendAll(span: Span): Promise<number> {
  const { resent, next_cursor: next } = await call('webhooks.resend-span', span);
  return next === null ? resent : resent + (await resendAll({ ...span, cursor: next }));
}

/** `local` is by the person's own clock. */
function secondsOf(local: string): number {
  return Math.floor(new Date(local).getTime() / 1_000);
}
