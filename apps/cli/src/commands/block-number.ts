// The number of a block as a person types it.
import { InvalidArgumentError } from 'commander';

export function blockNumber(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('the number of a block');
}
