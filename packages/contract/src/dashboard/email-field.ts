// The e-mail address that a person signs in with.
import Type from 'typebox';

export const emailField = Type.String({
  minLength: 3,
  maxLength: 254,
  // Printable ASCII alone: two addresses that look alike are alike, and nothing in one turns a line around.
  pattern: '^[!-?A-~]+@[!-?A-~]+$',
  'x-expects': 'an e-mail address in ASCII',
});
