// Who is signed in, and what they may do for which merchant.
import type { Permission } from '@ducat/contract/dashboard/operation';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useParams } from 'react-router';
import { useAnswer } from './queries.ts';

export type Session = ResponseOf<'session.read'>;
export type Person = NonNullable<Session['person']>;
export type Membership = Person['memberships'][number];

export function useSession() {
  return useAnswer('session.read', {});
}

export type Factors = Session['factors'];

/** The second factors of the person whose password was shown. */
export function useFactors(): Factors {
  const none = { has_authenticator: false, passkeys: 0, takes_passkeys: false };
  return useSession().data?.factors ?? none;
}

/** The signed-in person, for screens behind signing in, where there always is one. */
export function usePerson(): Person {
  const person = useSession().data?.person;
  if (person === undefined || person === null) throw new Error('a screen needs a person who is signed in');
  return person;
}

/** Whether the person has a permission for the merchant. Every operator has the permission to view. */
export function useMay(merchantId: string): (permission: Permission) => boolean {
  const { memberships, is_operator: isOperator } = usePerson();
  const held = memberships.find((each) => each.merchant_id === merchantId)?.permissions ?? [];
  return (permission) => held.includes(permission) || (isOperator && permission === 'view');
}

/** The merchant of this page; on pages of no merchant the person's first. Null for operators who belong to none. */
export function useMerchant(): Pick<Membership, 'merchant_id' | 'merchant_name'> | null {
  const { merchantId } = useParams();
  const { memberships } = usePerson();
  if (merchantId === undefined) return memberships[0] ?? null;
  const found = memberships.find((each) => each.merchant_id === merchantId);
  return found ?? { merchant_id: merchantId, merchant_name: merchantId };
}
