// From nothing to a first payment: what is done is read from the gateway itself, so every step can be left and resumed.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { Link } from 'react-router';
import { useAnswer } from '../../api/queries.ts';
import { type Membership, usePerson } from '../../api/session.ts';
import { buttonClass } from '../../parts/button.tsx';
import { Answer, Bone } from '../../parts/data/answer.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { fill, words } from '../../words/words.ts';
import { AppStep } from './app-step.tsx';
import { KeysState } from './keys-state.tsx';
import { MerchantStep } from './merchant-step.tsx';
import { PaymentStep } from './payment-step.tsx';
import styles from './setup.module.css';
import { Step } from './step.tsx';

export function Setup() {
  const { setup: text } = words;
  const query = useAnswer('setup.read', {});
  return (
    <Page title={text.title} under={text.under}>
      <Answer query={query} skeleton={<Bone width="100%" height={320} />}>
        {(setup) => <Steps setup={setup} isLooking={query.isFetching} onLook={() => void query.refetch()} />}
      </Answer>
    </Page>
  );
}

interface StepsProps {
  readonly setup: ResponseOf<'setup.read'>;
  readonly isLooking: boolean;
  readonly onLook: () => void;
}

function Steps({ setup, isLooking, onLook }: StepsProps) {
  const { setup: text } = words;
  const { name, email, has_authenticator: hasAuthenticator, memberships } = usePerson();
  const { keys_ready: hasKeys, faucet_url: faucetUrl } = setup;
  const merchant = memberships[0] ?? null;
  const { app, isPaid } = useProgress(merchant);
  return (
    <div className={styles['steps']}>
      <Step number={1} title={text.keys} isDone={hasKeys}>
        <KeysState isReady={hasKeys} isBusy={isLooking} onLook={onLook} />
      </Step>
      <Step number={2} title={text.account} isDone>
        <p>
          <bdi>{name}</bdi> · <bdi>{email}</bdi>
        </p>
        <p>{faucetUrl !== '' && !hasAuthenticator ? text.accountDemo : text.accountFactor}</p>
      </Step>
      <MerchantStep merchant={merchant} email={email} />
      <AppStep merchant={merchant} app={app} hasKeys={hasKeys} />
      <PaymentStep {...{ merchant, app, faucetUrl, isPaid }} />
      {isPaid && merchant !== null && <Finished merchant={merchant} />}
    </div>
  );
}

/** The progress of the person's first merchant: its oldest app that takes orders, and whether an order was paid. */
function useProgress(merchant: Membership | null) {
  const merchantId = merchant?.merchant_id ?? '';
  const enabled = merchant !== null;
  const apps = useAnswer('apps.list', { merchant_id: merchantId }, { enabled }).data?.apps ?? [];
  const paid = { merchant_id: merchantId, status: 'PAID', limit: 1 } as const;
  const orders = useAnswer('orders.list', paid, { enabled, every: 5_000 }).data?.orders ?? [];
  const app = apps.find(({ kind }) => kind === 'PAYMENT') ?? null;
  return { app, isPaid: orders.length > 0 };
}

function Finished({ merchant }: { readonly merchant: Membership }) {
  const { setup: text } = words;
  return (
    <>
      <Notice tone="paid" live>
        {text.over}
      </Notice>
      <div className={styles['actions']}>
        <Link to={`/m/${merchant.merchant_id}`} className={buttonClass('primary')}>
          {fill(text.toMerchant, { merchant: merchant.merchant_name })}
        </Link>
      </div>
    </>
  );
}
