// An app that is on or off: its people switch it off, an operator alone switches it on again.
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { usePerson } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ReasonDialog } from '../../parts/data/reason-dialog.tsx';
import { Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { fill, words } from '../../words/words.ts';
import type { AppAnswer } from './app-answer.ts';

interface AppProps {
  readonly app: AppAnswer;
}

export function SwitchOff({ app }: AppProps) {
  const { merchantId = '' } = useParams();
  const { appSwitch: text } = words;
  const [open, setOpen] = useState(false);
  const act = useAct('apps.change', () => setOpen(false));
  const off = () =>
    act.mutate({ merchant_id: merchantId, app_id: app.app_id, version: app.version, enabled: false });
  return (
    <>
      <Button tone="danger" onClick={() => setOpen(true)}>
        {text.off}
      </Button>
      <Dialog
        title={fill(text.offTitle, { name: app.name })}
        description={text.offUnder}
        open={open}
        onClose={() => setOpen(false)}
      >
        <Form error={act.error} onSubmit={off}>
          <SubmitActions onClose={() => setOpen(false)} isBusy={act.isPending} tone="dangerous">
            {text.offNow}
          </SubmitActions>
        </Form>
      </Dialog>
    </>
  );
}

/** Stands above the settings of the app while it is off. */
export function SwitchedOff({ app }: AppProps) {
  const { appSwitch: text } = words;
  const { is_operator: isOperator } = usePerson();
  const [open, setOpen] = useState(false);
  const act = useAct('merchants.switch-app-on', () => setOpen(false));
  return (
    <>
      <Notice tone="part">{text.isOff}</Notice>
      {isOperator && (
        <Button wide onClick={() => setOpen(true)}>
          {text.on}
        </Button>
      )}
      <ReasonDialog
        title={fill(text.onTitle, { name: app.name })}
        description={text.onUnder}
        confirm={text.on}
        open={open}
        isBusy={act.isPending}
        error={act.error}
        onClose={() => setOpen(false)}
        onConfirm={(reason) => act.mutate({ app_id: app.app_id, reason })}
      />
    </>
  );
}
