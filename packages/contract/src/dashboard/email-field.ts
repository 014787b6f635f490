// The e-mail address that a person signs in with.
import Type from 'typebox';

export const emailField = Type.String({
  minLength: 3,
  maxLength: 254,
  // Printable ASCII only, so that addresses that look alike are alike, and no character reverses a line. <>()[]\,;:"
  // are refused as well, because a mail server may read a second address out of them.
  pattern: "^[!#-'*+\\-./0-9=?A-Z^-~]+@[!#-'*+\\-./0-9=?A-Z^-~]+$",
  'x-expects': 'an e-mail address in ASCII without <>()[]\\,;:"',
});
