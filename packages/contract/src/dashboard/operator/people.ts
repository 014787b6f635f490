// For operators: everybody who may sign in, further operators, lost second factors, and ending access.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { emailField } from '../email-field.ts';
import { defineOperation, memberRoles } from '../operation.ts';
import { invitationLink } from '../team.ts';

const nothing = strictObject({});
/** The person that the operation is about, and the reason. */
const onPerson = strictObject({ person_id: fields.tradeNo('The person.'), reason: f.reason });

/** The operations of subject people. */
export const peopleOperations = [
  // The oldest first. Each page has all open invitations of operators.
  defineOperation({
    name: 'people.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ cursor: f.cursor, limit: f.limit }),
    response: strictObject({
      people: Type.Array(
        strictObject({
          person_id: Type.String(),
          name: Type.String(),
          email: Type.String(),
          is_operator: Type.Boolean(),
          has_authenticator: Type.Boolean(),
          passkeys: Type.Integer(),
          memberships: Type.Array(
            strictObject({
              merchant_id: Type.String(),
              merchant_name: Type.String(),
              role: Type.Enum([...memberRoles]),
            }),
          ),
        }),
      ),
      next_cursor: f.nextCursor,
      invitations: Type.Array(
        strictObject({ invitation_id: Type.String(), email: Type.String(), expires_at: f.time }),
      ),
    }),
  }),
  // Invites a further operator. The link is shown to the inviter, once.
  defineOperation({
    name: 'people.invite',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ request_id: f.requestId, email: emailField }),
    response: invitationLink,
  }),
  defineOperation({
    name: 'people.withdraw-invitation',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ invitation_id: fields.tradeNo('The invitation.') }),
    response: nothing,
  }),
  // Takes authenticator, passkeys and recovery codes away; the password stays, and the person is signed out everywhere.
  defineOperation({
    name: 'people.reset',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: onPerson,
    response: nothing,
  }),
  // Ends what a person may do, at every merchant and as an operator.
  defineOperation({
    name: 'people.remove',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: onPerson,
    response: nothing,
  }),
] as const;
