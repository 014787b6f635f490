// apps.create and apps.rotate-key: an AppKey is shown once, in the answer, and nowhere else.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockMerchant, type NewApp, readSealedApp } from '../../../db/tables/apps.ts';
import { openAppAccount } from '../../../flows/addresses/open-app-account.ts';
import { createApp } from '../../../flows/merchants/create-app.ts';
import { rotateAppKey } from '../../../flows/merchants/rotate-app-key.ts';
import { newAppId } from '../../../runtime/ids.ts';
import { type Answer, answer, type Handler, unknown } from '../call.ts';
import { alreadyMade, madeOnce } from '../clicks/made-once.ts';
import { type MerchantCall, refuseSuspended } from '../merchant-scope.ts';
import { mailAdministrators } from '../notices/mail-notice.ts';
import { atVersion } from './app-at-version.ts';
import { privateHook } from './private-hook.ts';

export const handleAppCreate: Handler<'apps.create'> = async (call, request) => {
  const { deps, merchantId, nowMs } = call;
  const { kind, callback_url: callbackUrl = null } = request;
  const suspended = await refuseSuspended(call);
  if (suspended !== null) return suspended;
  const hook = privateHook(deps, callbackUrl);
  if (hook !== null) return hook;
  // The signer is asked first: if it does not answer, no app is created that would lack its addresses.
  for (const family of familiesOf(call)) await deps.accountPublicKey(family, 0);
  const appId = newAppId(deps.world);
  const { appKey, sealedKey } = deps.appKeys.create(appId);
  const app = { appId, merchantId, name: request.name, kind, callbackUrl, tolerancePpm: 0, sealedKey };
  const created = await madeOnce(
    call,
    { operation: 'apps.create', request, subject: appId },
    {
      make: (tx) => insertAppOf(tx, call, { ...app, createdAtMs: nowMs }),
      // The first try may have failed after the app was committed and before its addresses were.
      again: async (made) => {
        const standing = await readSealedApp(deps.reader, made);
        if (standing === null) return unknown('app');
        await openAccounts(call, made, standing.app.account);
        return alreadyMade(`app ${made}`, 'its AppKey. Rotate the key if nobody kept it');
      },
    },
  );
  if (!created.ok) return created;
  await openAccounts(call, appId, created.value.account);
  return answer({ app_id: appId, app_key: appKey });
};

async function insertAppOf(
  tx: Tx,
  call: MerchantCall,
  app: NewApp,
): Promise<Answer<{ readonly account: number }>> {
  const { merchantId, appId, kind, name } = app;
  await lockMerchant(tx, merchantId);
  const meanwhile = await refuseSuspended({ reader: tx, merchantId });
  if (meanwhile !== null) return meanwhile;
  const made = await createApp(tx, app);
  if (made.outcome === 'merchant-unknown') return unknown('merchant');
  await call.record(tx, { subject: appId, detail: `${kind} ${name}` });
  return answer({ account: made.account });
}

/**
 * All families, also of chains that are off, so that the signer is not needed when one is switched on. The record's keys
 * are the families.
 */
function familiesOf({ deps }: Pick<MerchantCall, 'deps'>): readonly ChainFamily[] {
  return Object.keys(deps.addressSchemes) as ChainFamily[];
}

async function openAccounts(call: Pick<MerchantCall, 'deps'>, appId: string, account: number): Promise<void> {
  const { deps } = call;
  for (const family of familiesOf(call)) {
    const accountPublicKey = await deps.accountPublicKey(family, account);
    const addresses = deps.addressSchemes[family];
    await deps.transact((tx) => openAppAccount(tx, { appId, family, accountPublicKey, addresses }));
  }
}

export const handleKeyRotation: Handler<'apps.rotate-key'> = (call, request) => {
  const { deps, nowMs } = call;
  const { app_id: appId, grace_seconds: grace } = request;
  // mark: a-key-is-rotated-once
  return atVersion(call, request, async (tx, { name }) => {
    const { appKey, sealedKey } = deps.appKeys.create(appId);
    const { outcome } = await rotateAppKey(tx, { appId, sealedKey, nowMs, graceMs: grace * 1000 });
    if (outcome === 'app-unknown') return unknown('app');
    await mailAdministrators(tx, call, 'app-key-rotated', name);
    await call.record(tx, { subject: appId, detail: `the old key works on for ${grace} s` });
    return answer({ app_id: appId, app_key: appKey });
  });
};
