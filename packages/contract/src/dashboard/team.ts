// The people of a merchant, and the invitations that are open.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { emailField } from './email-field.ts';
import { defineOperation, memberRoles } from './operation.ts';

const merchantId = fields.tradeNo('The merchant.');
const personId = fields.tradeNo('The member.');
const role = Type.Enum([...memberRoles], { 'x-expects': `one of ${memberRoles.join(', ')}` });
const nothing = strictObject({});

export const invitationLink = strictObject({
  invitation_url: Type.String(),
  expires_at: Type.Integer(),
  /** Whether a mail with the link goes to the person. */
  is_mailed: Type.Boolean(),
});

/** The operations of subject team. */
export const teamOperations = [
  defineOperation({
    name: 'team.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: merchantId }),
    response: strictObject({
      members: Type.Array(
        strictObject({
          person_id: Type.String(),
          name: Type.String(),
          email: Type.String(),
          role,
          since: Type.Integer(),
        }),
      ),
      invitations: Type.Array(
        strictObject({
          invitation_id: Type.String(),
          email: Type.String(),
          role,
          expires_at: Type.Integer(),
        }),
      ),
    }),
  }),
  // The link is shown to the inviter once, and is good for three days and one account. A repeated request with the same
  // `request_id` is answered with `already-made`.
  defineOperation({
    name: 'team.invite',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      merchant_id: merchantId,
      request_id: f.requestId,
      email: emailField,
      role,
    }),
    response: invitationLink,
  }),
  defineOperation({
    name: 'team.withdraw-invitation',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      merchant_id: merchantId,
      invitation_id: fields.tradeNo('The invitation.'),
    }),
    response: nothing,
  }),
  // `role_before` is the role that the page showed. Where another admin has changed it since, the answer is `changed`.
  defineOperation({
    name: 'team.change-role',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ merchant_id: merchantId, person_id: personId, role_before: role, role }),
    response: nothing,
  }),
  defineOperation({
    name: 'team.remove',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ merchant_id: merchantId, person_id: personId }),
    response: nothing,
  }),
] as const;
