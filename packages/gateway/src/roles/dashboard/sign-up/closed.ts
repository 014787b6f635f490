// The refusal of new people and merchants where sign_up is "closed".
import { refusal } from '../call.ts';

export const CLOSED = refusal(
  'sign-up-closed',
  'this gateway takes nobody new (sign_up = "closed"): its operator invites by ducat people on the host',
);
