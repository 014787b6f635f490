// The data that a second terminal needs to reach the running demo. `ducat start` writes it once everything is ready.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { CommandError } from '../command-error.ts';
import { runningStart } from './claim-state.ts';
import { readJson, writePrivateFile } from './private-file.ts';
import type { StatePaths } from './state-paths.ts';

export interface DemoCurrency {
  readonly currency_id: number;
  readonly symbol: string;
  /** "" for the chain's own coin. */
  readonly contract: string;
  readonly decimals: number;
  /** Why the demo does not offer the currency; "" where it does. */
  readonly off_reason: string;
  /** Whether the demo has a fiat price for the currency, as real sources have by default. */
  readonly fiat_price: boolean;
}

export interface DemoChain {
  readonly chain: string;
  /** The family, which decides the adapter that reads the chain and the format that its payer signs in. */
  readonly family: ChainFamily;
  readonly chain_id: number;
  readonly rpc_url: string;
  readonly genesis_hash: string;
  readonly block_time_ms: number;
  readonly need_confirms: number;
  readonly currencies: readonly DemoCurrency[];
  /** A funded account of the chain. Its key is public knowledge, and worthless elsewhere. */
  readonly payer: { readonly address: string; readonly private_key: string };
}

export interface DemoRecord {
  readonly state_folder: string;
  readonly config_file: string;
  readonly base_url: string;
  readonly docs_url: string;
  /** The payment page of an order that was opened at the start. */
  readonly checkout_url: string;
  readonly openapi_url: string;
  /**
   * The dashboard, and the e-mail to sign in with, "" where people set the dashboard up. The password is in the file
   * beside the AppKey.
   */
  readonly dashboard_url: string;
  readonly dashboard_email: string;
  readonly dashboard_password_file: string;
  /**
   * The e-mail of the second person, who has the same password and approves payouts as `demo-approver` with the key in
   * this file.
   */
  readonly approver_email: string;
  readonly approver_key_file: string;
  /** The folder in which each mail of the demo is a file. */
  readonly mail_folder: string;
  /** The page that shows the mails. */
  readonly mails_url: string;
  readonly operations_url: string;
  readonly merchant_id: string;
  readonly app_id: string;
  readonly app_key_file: string;
  /** The demo's app for static QR codes. */
  readonly qr_app_id: string;
  readonly qr_app_key_file: string;
  /** The address of the demo app's webhooks, on which `ducat listen` answers. */
  readonly listener_url: string;
  /** The faucet, which sends coins of the local chains to anybody: POST {"currency_id","to","amount"}. */
  readonly faucet_url: string;
  readonly chains: readonly DemoChain[];
}

/** The record with the AppKeys, as `ducat demo --json` prints it. */
export interface DemoAccess extends DemoRecord {
  readonly app_key: string;
  readonly qr_app_key: string;
}

export function writeDemoRecord(paths: StatePaths, record: DemoRecord): void {
  writePrivateFile(paths.demo, `${JSON.stringify(record, null, 2)}\n`);
}

/** Removes the record: a second terminal must not read the addresses of a demo that has ended. */
export function forgetDemo(paths: StatePaths): void {
  rmSync(paths.demo, { force: true });
}

/** Reads the record of the running demo. Throws a CommandError that says how to start one where none runs. */
export function readRunningDemo(paths: StatePaths): DemoAccess {
  const isRunning = runningStart(paths) !== undefined;
  const record = readJson(paths.demo);
  if (!isRunning || !isDemoRecord(record)) {
    const found = isRunning
      ? `The demo on ${paths.folder} is still starting; try again when it says that it is ready.`
      : `No demo runs on ${paths.folder}. Start one in another terminal: npm start`;
    throw new CommandError(
      `${found}\n  If yours runs elsewhere, name its folder: --state <folder> (or DUCAT_STATE)\n  For an installed gateway, name its configuration: --config <file>`,
    );
  }
  const keyIn = (file: string) => readFileSync(file, 'utf8').trim();
  return { ...record, app_key: keyIn(record.app_key_file), qr_app_key: keyIn(record.qr_app_key_file) };
}

/** We wrote the file ourselves, so it is enough to check that it is complete and of this form. */
function isDemoRecord(value: unknown): value is DemoRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'app_key_file' in value &&
    typeof value.app_key_file === 'string' &&
    existsSync(value.app_key_file) &&
    'chains' in value &&
    Array.isArray(value.chains)
  );
}
