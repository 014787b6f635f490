// The dependencies that the composition root gives the dashboard.
import type { SignUpMode, SignUpTerms } from '@ducat/core/access/sign-up';
import type { BackupLimits } from '@ducat/core/backup/freshness';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { BucketSize } from '../../http/rate-limit.ts';
import type { MailSealing } from '../../keys/mail-sealing.ts';
import type { OneTimeCodes } from '../../keys/one-time-codes.ts';
import type { Passkeys } from '../../keys/passkeys.ts';
import type { Passwords } from '../../keys/passwords.ts';
import type { CaughtMails } from '../../mail/port.ts';
import type { World } from '../../runtime/world.ts';
import type { DataDeps } from './data-port.ts';

export interface DashboardLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface DashboardDeps extends DataDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  readonly world: World;
  readonly logger: DashboardLogger;
  readonly passwords: Passwords;
  readonly oneTimeCodes: OneTimeCodes;
  readonly passkeys: Passkeys;
  readonly limits: DashboardLimits;
  /** Where people reach the dashboard, without a path or a slash at the end: the one origin that may ask. */
  readonly url: string;
  readonly signUp: SignUpMode;
  readonly signUpTerms: SignUpTerms;
  readonly backupLimits: BackupLimits;
  /** Null where no mail is sent. */
  readonly mails: Pick<MailSealing, 'seal'> | null;
  /** The mails that a demo catches instead of sending; null where mails are sent. */
  readonly caughtMails: CaughtMails | null;
  /** The demo asks for no second factor. */
  readonly demo: boolean;
  /** The faucet of a demo, which pays its test orders; "" anywhere else. */
  readonly faucetUrl: string;
  /** The configuration of this process, for operators to read; it holds no secret. */
  readonly configuration: ShownConfiguration;
  /** The folder of the dashboard's built files. */
  readonly filesFolder: string;
  /** Called for each broken assertion; it ends its request alone. */
  onBug(error: Error): void;
}

export interface ShownConfiguration {
  readonly sections: readonly {
    readonly section: string;
    readonly entries: readonly { readonly entry: string; readonly value: string }[];
  }[];
  /** Settings that are allowed but may be a mistake. */
  readonly warnings: readonly string[];
}

export interface DashboardLimits {
  /** Requests from one network address. */
  readonly perAddress: BucketSize;
  /** Passwords, codes and links that one network address tries. */
  readonly attempts: BucketSize;
  /** Sign-ups that one network begins: an IPv4 address, or a /48 of IPv6. */
  readonly signUps: BucketSize;
  /** Links to a new password that one network asks for, counted as sign-ups are. */
  readonly passwordLinks: BucketSize;
  /** Exports of one merchant. */
  readonly exports: BucketSize;
  readonly maxConnections: number;
  /** Connections from one network address; not enforced where proxies are trusted. */
  readonly maxConnectionsPerAddress: number;
  readonly trustedProxies: readonly string[];
}

export const defaultDashboardLimits: DashboardLimits = {
  perAddress: { perSecond: 50, burst: 500 },
  attempts: { perSecond: 0.5, burst: 30 },
  signUps: { perSecond: 1 / 3_600, burst: 5 },
  passwordLinks: { perSecond: 1 / 3_600, burst: 5 },
  exports: { perSecond: 1 / 60, burst: 60 },
  maxConnections: 2_000,
  maxConnectionsPerAddress: 128,
  trustedProxies: [],
};
