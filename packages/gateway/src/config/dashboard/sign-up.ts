// Who may open an account on the dashboard, and the limits of merchants that sign up.
import type { SignUpMode, SignUpTerms } from '@ducat/core/access/sign-up';
import { VALUE_DECIMALS } from '@ducat/core/collection/policy';
import { parseDecimal } from '@ducat/core/money/decimal';
import { ConfigError } from '../config-error.ts';
import type { ConfigFile } from '../schema.ts';

const DEFAULT_PER_DAY = 50;
/** No payouts until an operator raises the limit. */
const DEFAULT_PAYOUT_MAX_USD = '0';
const DEFAULT_OPEN_ORDERS = 20;

/** `sign_up` and `sign_ups` of the `[dashboard]` section. Throws ConfigError naming the entry at fault. */
export function signUpConfig({ dashboard = {}, mail }: ConfigFile): {
  readonly signUp: SignUpMode;
  readonly signUpTerms: SignUpTerms;
} {
  const { sign_up: signUp = 'invited', sign_ups: terms = {} } = dashboard;
  if (signUp === 'open' && mail === undefined)
    throw new ConfigError('dashboard.sign_up: "open" needs [mail]: the link to an account goes by mail');
  const { payout_max_usd: max = DEFAULT_PAYOUT_MAX_USD, payout_max_day_usd: day = max } = terms;
  return {
    signUp,
    signUpTerms: {
      mostADay: terms.per_day ?? DEFAULT_PER_DAY,
      // Suspended by default, because apps, QR codes and orders of strangers would grow the database without limit.
      isSuspended: terms.suspended ?? true,
      limits: {
        payoutMaxValue: usd('payout_max_usd', max),
        payoutMaxDayValue: usd('payout_max_day_usd', day),
        maxOpenOrders: terms.max_open_orders ?? DEFAULT_OPEN_ORDERS,
      },
    },
  };
}

function usd(entry: string, text: string): bigint {
  const value = parseDecimal(text, VALUE_DECIMALS);
  if (value !== null) return value;
  throw new ConfigError(`dashboard.sign_ups.${entry}: has to be an amount of USD such as "500"`);
}
