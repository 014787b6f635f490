// The settings of an app, which its screen and the cards of that screen share.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';

export type AppAnswer = ResponseOf<'apps.read'>['app'];
