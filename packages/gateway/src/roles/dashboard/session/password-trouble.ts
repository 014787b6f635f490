// What is wrong with a password that a person chose.
import { isFrequentPassword } from '../../../keys/frequent-passwords.ts';

const MIN_DIFFERENT = 6;

/** The end of the sentence "<field> …", null where the password is accepted. The schema checks the length. */
export function passwordTrouble(password: string, email: string): string | null {
  const lower = password.toLowerCase();
  const [name = ''] = email.toLowerCase().split('@');
  if (lower.includes('ducat') || (name.length > 3 && lower.includes(name)))
    return 'must not contain the e-mail or the name of this software';
  if (new Set(lower).size < MIN_DIFFERENT) return `must have ${MIN_DIFFERENT} different characters`;
  return isFrequentPassword(lower) ? 'is one of the most common passwords' : null;
}
