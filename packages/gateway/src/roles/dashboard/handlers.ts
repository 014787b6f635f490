// Every operation of the dashboard with its handler.
import type { OperationName } from '@ducat/contract/dashboard/registry';
import { auditLogHandlers } from './audit-log/audit-log-handlers.ts';
import type { Handlers } from './call.ts';
import { sessionHandlers } from './session/session-handlers.ts';
import { teamHandlers } from './team/team-handlers.ts';

export const handlers: Handlers<OperationName> = {
  ...sessionHandlers,
  ...teamHandlers,
  ...auditLogHandlers,
};
