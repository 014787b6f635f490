// Why nobody new comes in.
import { refusal } from '../call.ts';

export const CLOSED = refusal(
  'sign-up-closed',
  'this gateway takes nobody new (sign_up = "closed"): its operator invites by ducat people on the host',
);
