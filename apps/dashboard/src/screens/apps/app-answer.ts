// All that is set for an app, as its screen and the cards of it share it.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';

export type AppAnswer = ResponseOf<'apps.read'>['app'];
