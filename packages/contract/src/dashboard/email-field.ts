// The e-mail address that a person signs in with.
import Type from 'typebox';

export const emailField = Type.String({
  minLength: 3,
  maxLength: 254,
  // Printable ASCII alone: two addresses that look alike are alike, and nothing in one turns a line around. Without <>()[]\,;:"
  // too, by which a mail server may read a second address.
  pattern: "^[!#-'*+\\-./0-9=?A-Z^-~]+@[!#-'*+\\-./0-9=?A-Z^-~]+$",
  'x-expects': 'an e-mail address in ASCII without <>()[]\\,;:"',
});
