// All operations of the dashboard's API: the server's handlers and the browser's client are typed by this list.
import type { Fitting } from '../fields/schema-for.ts';
import { passwordLinkOperations } from './accounts/password-link.ts';
import { setupOperations } from './accounts/setup.ts';
import { signUpOperations } from './accounts/sign-up.ts';
import { apiCallOperations } from './apps/api-calls.ts';
import { appOperations } from './apps/apps.ts';
import { webhookOperations } from './apps/webhooks.ts';
import { auditLogOperations } from './audit-log.ts';
import { balanceOperations } from './balances.ts';
import { currencyOperations } from './currencies.ts';
import { homeOperations } from './home.ts';
import { additionOperations } from './operator/additions.ts';
import { backupOperations } from './operator/backups.ts';
import { chainOperations } from './operator/chains.ts';
import { dayOperations } from './operator/days.ts';
import { merchantOperations } from './operator/merchants.ts';
import { moneyOperations } from './operator/money.ts';
import { peopleOperations } from './operator/people.ts';
import { stakeOperations } from './operator/stake.ts';
import { systemOperations } from './operator/system.ts';
import { orderOperations } from './orders/orders.ts';
import { receiptOperations } from './orders/receipts.ts';
import { passkeyOperations } from './passkeys.ts';
import { payoutOperations } from './payouts.ts';
import { qrCodeOperations } from './qr-codes.ts';
import { sessionOperations } from './session.ts';
import { teamOperations } from './team.ts';

/** In the order of their subjects. */
export const dashboardOperations = [
  ...sessionOperations,
  ...setupOperations,
  ...signUpOperations,
  ...passwordLinkOperations,
  ...passkeyOperations,
  ...teamOperations,
  ...auditLogOperations,
  ...currencyOperations,
  ...homeOperations,
  ...orderOperations,
  ...receiptOperations,
  ...qrCodeOperations,
  ...payoutOperations,
  ...appOperations,
  ...webhookOperations,
  ...apiCallOperations,
  ...balanceOperations,
  ...chainOperations,
  ...additionOperations,
  ...dayOperations,
  ...merchantOperations,
  ...peopleOperations,
  ...moneyOperations,
  ...stakeOperations,
  ...systemOperations,
  ...backupOperations,
] as const;

type Listed = (typeof dashboardOperations)[number];

/** The operations by their names. */
export type DashboardOperations = { readonly [O in Listed as O['name']]: O };
export type OperationName = keyof DashboardOperations;

export type RequestOf<Name extends OperationName> = Fitting<DashboardOperations[Name]['request']>;
export type ResponseOf<Name extends OperationName> = Fitting<DashboardOperations[Name]['response']>;
