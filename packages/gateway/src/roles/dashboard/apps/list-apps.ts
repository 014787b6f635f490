// apps.list and apps.read: the apps of a merchant, and all that is set for one.
import { isAppOn } from '@ducat/core/access/app-state';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf } from '../merchant-scope.ts';
import { seconds } from '../texts.ts';
import { presentApp } from './own-app.ts';

export const handleAppList: Handler<'apps.list'> = async (call) => {
  const apps = (await appsOf(call)) ?? [];
  return answer({
    apps: apps.map(({ appId, name, kind, createdAtMs, isTest, ...switches }) => ({
      app_id: appId,
      name,
      kind,
      enabled: isAppOn(switches),
      created_at: seconds(createdAtMs),
      is_test: isTest,
    })),
  });
};

export const handleAppRead: Handler<'apps.read'> = async (
  { reader, merchantId, nowMs },
  { app_id: appId },
) => {
  const app = await presentApp(reader, { merchantId, appId, nowMs });
  return app === null ? unknown('app') : answer({ app });
};
