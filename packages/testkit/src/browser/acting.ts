// A person who acts on the dashboard of a shop in a browser: the shop, its served pages, and the person, signed in.
import { insertMember } from '@ducat/gateway/db/tables/access/memberships';
import type { SqlValue } from '@ducat/gateway/db/postgres/tx';
import { type DashboardShop, startDashboardShop } from '../api/dashboard-shop.ts';
import { signIn } from '../api/test-dashboard.ts';
import { openBrowser } from './open-browser.ts';
import { type ServedDashboard, serveDashboard } from './serve-dashboard.ts';
import { Visitor } from './visitor.ts';

/** The person in the browser. The other people of the shop call over HTTP. */
const ACTOR = { email: 'ada@example.test', name: 'Ada Okafor' } as const;

export interface Acting {
  readonly shop: DashboardShop;
  readonly dashboard: ServedDashboard;
  readonly personId: string;
  /** A person with TEST_PASSWORD and no second factor yet. The step-up of the session is fresh for five minutes. */
  readonly person: Visitor;
  /** The first row of the result; null where there is none. */
  row(sql: string, ...values: readonly SqlValue[]): Promise<Readonly<Record<string, unknown>> | null>;
  write(sql: string, ...values: readonly SqlValue[]): Promise<void>;
  close(): Promise<void>;
}

/** Ada is an owner of the shop, or an operator. */
export async function startActing(
  adminUrl: string,
  role: 'owner' | 'operator',
  change: Parameters<typeof serveDashboard>[1] = {},
): Promise<Acting> {
  const shop = await startDashboardShop(adminUrl);
  const { database, world } = shop.api;
  const dashboard = await serveDashboard(shop.api, change);
  const row: Acting['row'] = async (sql, ...values) => {
    const [found] = await database.reader.read<Readonly<Record<string, unknown>>>(sql, [...values]);
    return found ?? null;
  };
  const ofOwner = 'SELECT password_hash FROM credentials WHERE person_id = $1';
  const passwordHash = String((await row(ofOwner, shop.owner.personId))?.['password_hash']);
  const isOperator = role === 'operator';
  const who = { ...ACTOR, isOperator, passwordHash };
  const { personId, token } = await signIn(database.transact, world, who, async (tx, id) => {
    const member = { merchantId: 'mer_1', personId: id, role: 'owner', sinceMs: world.nowMs() } as const;
    if (!isOperator) await insertMember(tx, member);
  });
  const person = await Visitor.open(await openBrowser(), dashboard.url, world);
  await person.carry(token);
  return {
    shop,
    dashboard,
    personId,
    person,
    row,
    write: async (sql, ...values) => {
      await database.transact((tx) => tx.write(sql, [...values]));
    },
    close: async () => {
      await person.close();
      await dashboard.close();
      await shop.close();
    },
  };
}
