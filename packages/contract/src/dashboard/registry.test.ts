// The rules of every dashboard operation, so that the walls can be built once for all of them.
import { describe, expect, it } from 'vitest';
import { type MemberRole, memberRoles, permissions } from './operation.ts';
import {
  type DashboardCode,
  type DashboardRefusalBody,
  dashboardRefusal,
  dashboardStatus,
} from './refusal.ts';
import { dashboardOperations, type OperationName, type RequestOf, type ResponseOf } from './registry.ts';

const all = dashboardOperations;

/** Every object inside a schema. */
function objectsOf(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inside = Object.values(schema).flatMap(objectsOf);
  return 'type' in schema && schema.type === 'object' ? [{ ...schema }, ...inside] : inside;
}

describe('the operations of the dashboard', () => {
  it('have names of their own, of a subject and a verb', () => {
    const names = all.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z-]+\.[a-z-]+$/.test(name))).toEqual([]);
    const signOut: OperationName = 'session.sign-out';
    expect(names).toContain(signOut);
  });

  it.each(all.map((operation) => [operation.name, operation] as const))('%s is behind its wall', (_, one) => {
    const { scope, permission, request } = one;
    expect('merchant_id' in request.properties).toBe(scope === 'merchant');
    if (scope === 'operator') expect(permission).toBe('operate');
    else if (scope === 'merchant') expect(permissions).toContain(permission);
    else expect(permission).toBeNull();
    const objects = [...objectsOf(one.request), ...objectsOf(one.response)];
    expect(objects.filter((object) => object['additionalProperties'] !== false)).toEqual([]);
  });

  it('ask for a fresh second factor wherever they administer', () => {
    const bare = all.filter(({ permission, stepUp }) => permission === 'administer' && !stepUp);
    expect(bare.map(({ name }) => name)).toEqual(['audit-log.list']);
  });

  it('are typed by their names', () => {
    const request: RequestOf<'orders.read'> = { merchant_id: 'mer_1', trade_no: 'ord_1' };
    const answer: ResponseOf<'apps.create'> = { app_id: 'app_1', app_key: 'key' };
    expect([Object.keys(request), Object.keys(answer)]).toEqual([
      ['merchant_id', 'trade_no'],
      ['app_id', 'app_key'],
    ]);
  });

  it('are refused with a code of the list, and people have the ranks of the list', () => {
    const code: DashboardCode = 'changed';
    const body: DashboardRefusalBody = { code, message: 'it was changed meanwhile' };
    const owner: MemberRole = 'owner';
    expect([dashboardStatus[code], Object.keys(dashboardRefusal.properties)]).toEqual([
      409,
      ['code', 'field', 'message'],
    ]);
    expect([body.code, memberRoles[0]]).toEqual([code, owner]);
  });
});
