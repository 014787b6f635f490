// The e-mail address that a person signs in with.
import Type from 'typebox';

export const emailField = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$',
  'x-expects': 'an e-mail address',
});
