// All benches, in the order in which they run.
import type { Bench } from '../measure.ts';
import { api } from './api.ts';
import { books } from './books.ts';
import { dashboard } from './dashboard.ts';
import { delay } from './delay.ts';
import { growth } from './growth.ts';
import { pages } from './pages.ts';
import { payouts } from './payouts.ts';
import { scanner } from './scanner.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';

export const benches: readonly Bench[] = [
  api,
  scanner,
  webhooks,
  payouts,
  delay,
  growth,
  dashboard,
  books,
  pages,
  start,
];
