// All operations of the dashboard's API: the server's handlers and the browser's client are typed by this list.
import type { Static } from 'typebox';
import { auditLogOperations } from './audit-log.ts';
import { sessionOperations } from './session.ts';
import { teamOperations } from './team.ts';

/** In the order of their subjects. */
export const dashboardOperations = [...sessionOperations, ...teamOperations, ...auditLogOperations] as const;

type Listed = (typeof dashboardOperations)[number];

/** The operations by their names. */
export type DashboardOperations = { readonly [O in Listed as O['name']]: O };
export type OperationName = keyof DashboardOperations;

export type RequestOf<Name extends OperationName> = Static<DashboardOperations[Name]['request']>;
export type ResponseOf<Name extends OperationName> = Static<DashboardOperations[Name]['response']>;
