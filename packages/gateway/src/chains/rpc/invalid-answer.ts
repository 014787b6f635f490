// The outage of an answer that contradicts itself, the request, or what is proven.
import { Outage } from '../../runtime/outage.ts';

export function invalidAnswer(message: string, cause?: unknown): Outage {
  return new Outage(message, cause === undefined ? { kind: 'invalid' } : { kind: 'invalid', cause });
}
