// One-time codes of an app's payouts, on or off; their secret is shown this once.
import { useParams } from 'react-router';
import { useAct } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { QrImage } from '../../parts/charts/qr-image.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { refusalText } from '../../parts/data/failure.tsx';
import { Actions, Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Card } from '../../parts/page.tsx';
import { say } from '../../parts/toasts.tsx';
import { words } from '../../words/words.ts';
import type { AppAnswer } from './app-answer.ts';

interface CodesCardProps {
  readonly app: AppAnswer;
  readonly mayChange: boolean;
}

export function CodesCard({ app, mayChange }: CodesCardProps) {
  const { merchantId = '' } = useParams();
  const { settings: text } = words;
  const act = useAct('apps.switch-one-time-codes');
  const isOn = app.one_time_codes;
  const turn = (on: boolean) =>
    act.mutate(
      { merchant_id: merchantId, app_id: app.app_id, version: app.version, is_on: on },
      { onError: (error) => say(refusalText(error)) },
    );
  const setup = act.data?.setup_url ?? null;
  return (
    <Card title={words.apps.oneTimeCodes}>
      <p>{isOn ? text.codesOn : text.codesOff}</p>
      {mayChange && (
        <Actions>
          {isOn && (
            <Button tone="danger" busy={act.isPending} onClick={() => turn(false)}>
              {text.turnOff}
            </Button>
          )}
          <Button busy={act.isPending} onClick={() => turn(true)}>
            {isOn ? text.newSecret : text.turnOn}
          </Button>
        </Actions>
      )}
      {setup !== null && (
        <Dialog title={text.secretTitle} open onClose={() => act.reset()}>
          <Notice tone="part">{text.secretOnce}</Notice>
          <QrImage text={setup} label={words.enrol.qr} size={192} />
          <Copyable text={setup} label={text.secret} />
          <Actions>
            <Button tone="primary" onClick={() => act.reset()}>
              {words.apps.kept}
            </Button>
          </Actions>
        </Dialog>
      )}
    </Card>
  );
}
