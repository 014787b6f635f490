// The key under which wrong passwords of an e-mail are counted.
import { hashOfToken } from '../../../keys/tokens.ts';

export function emailHash(email: string): Buffer {
  return hashOfToken(`e-mail ${email.toLowerCase()}`);
}
