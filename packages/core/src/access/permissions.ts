// What the people of a merchant may do, by their role.

export type MemberRole = 'owner' | 'admin' | 'developer' | 'finance' | 'viewer';
export type MemberPermission = 'view' | 'develop' | 'pay-out' | 'approve' | 'administer' | 'own';

const BY_ROLE: Readonly<Record<MemberRole, readonly MemberPermission[]>> = {
  owner: ['view', 'develop', 'pay-out', 'approve', 'administer', 'own'],
  admin: ['view', 'develop', 'pay-out', 'approve', 'administer'],
  developer: ['view', 'develop'],
  finance: ['view', 'pay-out', 'approve'],
  viewer: ['view'],
};

export function permissionsOf(role: MemberRole): readonly MemberPermission[] {
  return BY_ROLE[role];
}

/** What a person is to a merchant: a member of this role, or an operator, or both. */
export interface Standing {
  readonly role: MemberRole | null;
  readonly isOperator: boolean;
}

/** An operator looks into every merchant, and does nothing for one whose member the operator is not. */
export function isPermitted({ role, isOperator }: Standing, permission: MemberPermission): boolean {
  if (role !== null && BY_ROLE[role].includes(permission)) return true;
  return isOperator && permission === 'view';
}

/**
 * Whether a member may change the rank of another one from `before` to `after`; null stands for no rank. Only an owner gives
 * and takes the ranks that administer.
 */
export function mayChangeRank(
  actor: MemberRole,
  before: MemberRole | null,
  after: MemberRole | null,
): boolean {
  const administers = (role: MemberRole | null) => role !== null && BY_ROLE[role].includes('administer');
  const needed = administers(before) || administers(after) ? 'own' : 'administer';
  return BY_ROLE[actor].includes(needed);
}
