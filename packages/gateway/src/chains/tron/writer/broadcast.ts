// Broadcasts signed bytes to a Tron node. A duplicate is no success and an expiry no failure: both are unknown.
import { Outage } from '../../../runtime/outage.ts';
import type { BroadcastAnswer } from '../../port/writer.ts';
import type { HttpApi } from '../wire/http-api.ts';

/** Codes for faults of the bytes, which no other node and no later time can change. */
const ownFault: ReadonlySet<unknown> = new Set(['SIGERROR', 'TOO_BIG_TRANSACTION_ERROR']);

export async function broadcast(api: HttpApi, bytes: string): Promise<BroadcastAnswer> {
  try {
    const answer = (await api('broadcasthex', { transaction: bytes })).asRecord('an outcome');
    if (answer.get('result').is('true')) return { outcome: 'accepted', text: '' };
    const [code, message] = [answer.get('code').text, answer.get('message').text];
    const text = JSON.stringify({ code, message });
    return { outcome: ownFault.has(code) ? 'refused' : 'unknown', text };
  } catch (error) {
    const text = error instanceof Outage ? error.message : 'answered what cannot be read';
    return { outcome: 'unknown', text };
  }
}
