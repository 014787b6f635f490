// One app: its webhook address with a test, its key with rotation, its settings and its limits.
import { useParams } from 'react-router';
import { useState } from 'react';
import { useAct, useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { groupDigits, trimZeros } from '../../format/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Actions, Dialog, SubmitActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { fieldError, Form } from '../../parts/form.tsx';
import { Money } from '../../parts/money.tsx';
import { BackLink, Card, Fact, Facts, Page, Split, Stack } from '../../parts/page.tsx';
import { Tabs } from './tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { say } from '../../parts/toasts.tsx';
import { counted, language, words } from '../../words/words.ts';
import { AddressBook } from './address-book.tsx';
import type { AppAnswer } from './app-answer.ts';
import { SwitchedOff, SwitchOff } from './app-switch.tsx';
import { CodesCard } from './codes-card.tsx';
import { KeyShown } from './key-shown.tsx';
import { LogoCard } from './logo-card.tsx';
import { NetworkCard } from './network-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SettingsCard } from './settings-card.tsx';
import { SignatureDialog } from './signature-dialog.tsx';
import { TestBadge } from '../test-badge.tsx';

export function App() {
  const { merchantId = '', appId = '' } = useParams();
  const { apps: text } = words;
  const query = useAnswer('apps.read', { merchant_id: merchantId, app_id: appId });
  const mayDo = useMay(merchantId);
  const may = mayDo('develop');
  const mayAdminister = mayDo('administer');
  const [isDebugging, setDebugging] = useState(false);
  return (
    <Page
      title={query.data?.app.name ?? text.title}
      heading={
        query.data?.app.is_test === true ? (
          <>
            <h1>
              <bdi>{query.data.app.name}</bdi>
            </h1>
            <TestBadge />
          </>
        ) : undefined
      }
      back={<BackLink to={`/m/${merchantId}/apps`}>{text.title}</BackLink>}
      actions={
        <>
          {may && <Button onClick={() => setDebugging(true)}>{words.signatures.open}</Button>}
          {mayAdminister && query.data !== undefined && <RotateKey app={query.data.app} />}
          {may && query.data?.app.enabled === true && <SwitchOff app={query.data.app} />}
        </>
      }
    >
      {isDebugging && <SignatureDialog appId={appId} onClose={() => setDebugging(false)} />}
      <Answer query={query} skeleton={<Bone width="100%" height={200} />}>
        {({ app }) => (
          <Split>
            <Stack>
              {!app.enabled && <SwitchedOff app={app} />}
              <Sections app={app} mayDevelop={may} mayAdminister={mayAdminister} />
            </Stack>
            <AppFacts app={app} />
          </Split>
        )}
      </Answer>
    </Page>
  );
}

interface SectionsProps {
  readonly app: AppAnswer;
  readonly mayDevelop: boolean;
  readonly mayAdminister: boolean;
}

/** The tabs of the app. Each card has at most one primary button. */
function Sections({ app, mayDevelop, mayAdminister }: SectionsProps) {
  const { apps: text } = words;
  const [developed, administered] = [
    { app, mayChange: mayDevelop },
    { app, mayChange: mayAdminister },
  ];
  const checkout = (
    <Stack>
      <SettingsCard {...developed} />
      <LogoCard {...developed} />
    </Stack>
  );
  const payouts = (
    <Stack>
      <RulesCard {...administered} />
      <AddressBook appId={app.app_id} mayChange={mayAdminister} />
    </Stack>
  );
  const security = (
    <Stack>
      <NetworkCard {...administered} />
      <CodesCard {...administered} />
    </Stack>
  );
  return (
    <Tabs
      label={text.sections}
      tabs={[
        { key: 'general', title: text.tabs.general, content: <WebhookCard {...developed} /> },
        { key: 'checkout', title: text.tabs.checkout, content: checkout },
        { key: 'payouts', title: text.tabs.payouts, content: payouts },
        { key: 'security', title: text.tabs.security, content: security },
      ]}
    />
  );
}

function WebhookCard({ app, mayChange }: { readonly app: AppAnswer; readonly mayChange: boolean }) {
  const { merchantId = '' } = useParams();
  const { apps: text } = words;
  const ofApp = { merchant_id: merchantId, app_id: app.app_id };
  const change = useAct('apps.change', () => say(text.saved));
  const test = useAct('apps.send-test-event', () => say(text.testSent));
  return (
    <Card title={text.webhook}>
      <Form
        error={change.error ?? test.error}
        onSubmit={(typed) =>
          change.mutate({ ...ofApp, version: app.version, callback_url: typed('webhook') })
        }
      >
        <TextField
          key={app.version}
          label={text.webhookUrl}
          hint={text.webhookHint}
          name="webhook"
          type="url"
          defaultValue={app.callback_url ?? ''}
          readOnly={!mayChange}
          error={fieldError(change.error, 'callback_url')}
        />
        {mayChange && (
          <Actions>
            <Button
              busy={test.isPending}
              disabled={app.callback_url === null}
              onClick={() => test.mutate(ofApp)}
            >
              {text.sendTest}
            </Button>
            <Button type="submit" tone="primary" busy={change.isPending}>
              {text.saveWebhook}
            </Button>
          </Actions>
        )}
      </Form>
    </Card>
  );
}

function AppFacts({ app }: { readonly app: AppAnswer }) {
  const { apps: text } = words;
  const { payout_rules: rules, merchant_limits: limits } = app;
  const limit = (value: string | null) =>
    value === null ? text.noLimit : <Money amount={trimZeros(value, 2)} symbol="USD" />;
  return (
    <Card title={words.order.facts}>
      <Facts>
        <Fact name={text.appId}>
          <Copyable text={app.app_id} label={text.appId} form="short" />
        </Fact>
        <Fact name={text.kind}>{text.kinds[app.kind]}</Fact>
        {app.previous_key_until !== null && (
          <Fact name={text.oldKey}>
            <Time at={app.previous_key_until} />
          </Fact>
        )}
        <Fact name={words.order.tolerance}>{`${app.tolerance_ppm / 10_000}%`}</Fact>
        <Fact name={text.feeMode}>{text.feeModes[rules.fee_mode]}</Fact>
        <Fact name={text.maxPayout}>{limit(rules.max_usd)}</Fact>
        <Fact name={text.maxDay}>{limit(rules.max_day_usd)}</Fact>
        <Fact name={text.approval}>{limit(rules.approval_above_usd)}</Fact>
        {limits.payout_max_usd !== null && (
          <Fact name={text.operatorMax}>{limit(limits.payout_max_usd)}</Fact>
        )}
        {limits.payout_max_day_usd !== null && (
          <Fact name={text.operatorDay}>{limit(limits.payout_max_day_usd)}</Fact>
        )}
        {limits.max_open_orders !== null && (
          <Fact name={text.operatorOpen}>{groupDigits(String(limits.max_open_orders), language)}</Fact>
        )}
        <Fact name={text.addressList}>{rules.address_list ? text.on : text.off}</Fact>
        <Fact name={text.oneTimeCodes}>{app.one_time_codes ? text.on : text.off}</Fact>
      </Facts>
    </Card>
  );
}

const graces = [0, 1, 24, 168] as const;

function RotateKey({ app }: { readonly app: AppAnswer }) {
  const { merchantId = '' } = useParams();
  const { apps: text } = words;
  const [open, setOpen] = useState(false);
  const act = useAct('apps.rotate-key');
  const close = () => {
    act.reset();
    setOpen(false);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.rotate}</Button>
      {act.data !== undefined ? (
        <KeyShown made={act.data} onClose={close} />
      ) : (
        <Dialog title={text.rotateTitle} description={text.rotateUnder} open={open} onClose={close}>
          <Form
            error={act.error}
            onSubmit={(typed) =>
              act.mutate({
                merchant_id: merchantId,
                app_id: app.app_id,
                version: app.version,
                grace_seconds: Number(typed('grace')) * 3_600,
              })
            }
          >
            <SelectField label={text.grace} name="grace" defaultValue="24">
              {graces.map((hours) => (
                <option key={hours} value={hours}>
                  {hours === 0 ? text.graceNone : counted(text.graceHours, hours)}
                </option>
              ))}
            </SelectField>
            <SubmitActions onClose={close} isBusy={act.isPending} tone="dangerous">
              {text.rotateNow}
            </SubmitActions>
          </Form>
        </Dialog>
      )}
    </>
  );
}
