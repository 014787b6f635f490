// ducat people: who may sign in to the dashboard.
import { Command, InvalidArgumentError, Option } from 'commander';
import { appendAuditEntry, verifyAuditLog } from '@ducat/gateway/db/tables/access/audit-log';
import { findPersonByEmail, type ListedPerson, listPeople } from '@ducat/gateway/db/tables/access/people';
import { readMerchantName } from '@ducat/gateway/db/tables/apps';
import { createInvitation } from '@ducat/gateway/flows/access/create-invitation';
import { removePerson } from '@ducat/gateway/flows/access/remove-person';
import { resetAuthenticator } from '@ducat/gateway/flows/access/reset-authenticator';
import { hashOfToken, newToken } from '@ducat/gateway/keys/tokens';
import { timeText } from '@ducat/gateway/mail/time-text';
import { newInvitationId } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../command-error.ts';
import { queueNotice } from '../queue-notice.ts';
import type { Setup } from '../setup.ts';
import { columns } from '../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

const ROLES = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const;
type Role = (typeof ROLES)[number];

interface InviteOptions extends ConfigOptions {
  readonly merchant: string;
  readonly role: Role;
}

/** The commands, to be added to the program. */
export function peopleCommand(): Command {
  const create = withConfigOptions(new Command('create'))
    .description('print a one-time link with which an operator opens an account')
    .argument('<email>', 'e-mail of the person', emailAddress)
    .requiredOption('--operator', 'an account that works on the whole gateway; members are invited')
    .action((email: string, options: ConfigOptions) => printLink(options, email, null));
  const invite = withConfigOptions(new Command('invite'))
    .description('print a one-time link with which a person joins a merchant')
    .argument('<email>', 'e-mail of the person', emailAddress)
    .requiredOption('--merchant <merchant_id>', 'the merchant')
    .addOption(new Option('--role <role>', 'what the person may do').choices(ROLES).default('owner'))
    .action((email: string, options: InviteOptions) => printLink(options, email, options));
  const list = withConfigOptions(new Command('list')).description('list who may sign in').action(printPeople);
  const reset = withConfigOptions(new Command('reset'))
    .description('take away lost second factors: the next sign-in sets up a new one')
    .argument('<email>', 'e-mail of the person', emailAddress)
    .action(resetPerson);
  const remove = withConfigOptions(new Command('remove'))
    .description('end what a person may do, everywhere')
    .argument('<email>', 'e-mail of the person', emailAddress)
    .action(removeFromAll);
  const verify = withConfigOptions(new Command('verify-log'))
    .description('compare every hash of the audit log')
    .action(verifyLog);
  return new Command('people')
    .description('who may sign in to the dashboard')
    .addCommand(create)
    .addCommand(invite)
    .addCommand(list)
    .addCommand(reset)
    .addCommand(remove)
    .addCommand(verify);
}

async function printLink(
  options: ConfigOptions,
  email: string,
  membership: { readonly merchant: string; readonly role: Role } | null,
): Promise<void> {
  const { link, untilMs, isMailed } = await onSetup(options, async (setup) => {
    const { config, database, world } = setup;
    const merchantId = membership?.merchant ?? null;
    const merchantName = merchantId === null ? null : await readMerchantName(database.reader, merchantId);
    if (merchantId !== null && merchantName === null)
      throw new CommandError(`there is no merchant ${merchantId}`);
    const token = newToken(world);
    const invitationId = newInvitationId(world);
    const createdAtMs = world.nowMs();
    const role = membership?.role ?? null;
    const url = `${config.dashboard.url}/invitation#${token}`;
    return database.transact(async (tx) => {
      const tokenHash = hashOfToken(token);
      const invitation = { invitationId, tokenHash, email, merchantId, role, invitedBy: null, createdAtMs };
      const until = await createInvitation(tx, invitation);
      const detail = `${role ?? 'operator'} ${email}`;
      await appendAuditEntry(tx, {
        ...byHand('people.invite', createdAtMs),
        merchantId,
        subject: invitationId,
        detail,
      });
      const opened = { url, untilMs: until, until: timeText(until) };
      const notice = { kind: 'invitation', merchantName, role, invitedBy: null, ...opened } as const;
      const mailed = await queueNotice(tx, setup, { email, merchantId }, notice);
      return { link: url, untilMs: until, isMailed: mailed };
    });
  });
  const way = isMailed ? 'It is mailed to that address.' : 'Send it by a way that others do not read.';
  process.stdout.write(`${link}\n\n  For ${email} alone, until ${timeText(untilMs)}, once. ${way}\n`);
}

async function printPeople(options: ConfigOptions): Promise<void> {
  const people = await onSetup(options, ({ database }) =>
    listPeople(database.reader, { behind: '', limit: 10_000 }),
  );
  const rows = people.map((person): readonly [string, string, string, string] => [
    person.email,
    person.name,
    factorsText(person),
    rightsText(person),
  ]);
  const text =
    rows.length === 0 ? ['No accounts yet: ducat people create <email> --operator'] : columns(rows, '');
  process.stdout.write(`${text.join('\n')}\n`);
}

async function resetPerson(email: string, options: ConfigOptions): Promise<void> {
  const isMailed = await onSetup(options, async (setup: Setup) => {
    const { database, world, config } = setup;
    const person = await findPersonByEmail(database.reader, email);
    if (person === null) throw new CommandError(`no account has the e-mail ${email}`);
    return database.transact(async (tx) => {
      await resetAuthenticator(tx, person.personId);
      const entry = { ...byHand('people.reset', world.nowMs()), merchantId: null, detail: '' };
      await appendAuditEntry(tx, { ...entry, subject: person.personId });
      const notice = {
        kind: 'sign-in-reset',
        url: config.dashboard.url,
        at: timeText(world.nowMs()),
      } as const;
      return queueNotice(tx, setup, { email, merchantId: null }, notice);
    });
  });
  const mailed = isMailed ? ' A mail says so.' : '';
  process.stdout.write(`${email} is signed out everywhere and sets up a new second factor.${mailed}\n`);
}

async function removeFromAll(email: string, options: ConfigOptions): Promise<void> {
  const orphaned = await onSetup(options, async ({ database, world }) => {
    const person = await findPersonByEmail(database.reader, email);
    if (person === null) throw new CommandError(`no account has the e-mail ${email}`);
    return database.transact(async (tx) => {
      const left = await removePerson(tx, person.personId);
      const entry = { ...byHand('people.remove', world.nowMs()), merchantId: null, detail: '' };
      if (left.length === 0) await appendAuditEntry(tx, { ...entry, subject: person.personId });
      return left;
    });
  });
  if (orphaned.length > 0)
    throw new CommandError(
      `${email} is the only owner of ${orphaned.join(', ')}: invite another owner first`,
    );
  process.stdout.write(`${email} is signed out everywhere and may do nothing any more.\n`);
}

async function verifyLog(options: ConfigOptions): Promise<void> {
  const { entries, brokenAt, headHash } = await onSetup(options, ({ database }) =>
    verifyAuditLog(database.reader),
  );
  if (brokenAt !== null) throw new CommandError(`the audit log was altered: entry ${brokenAt} does not fit`);
  process.stdout.write(`${entries} entries, all as they were written.\nhead ${headHash.toString('hex')}\n`);
}

function rightsText({ isOperator, memberships }: ListedPerson): string {
  const ofMerchants = memberships.map(({ merchantId, role }) => `${merchantId} ${role}`);
  return [...(isOperator ? ['operator'] : []), ...ofMerchants].join(', ');
}

function factorsText({ hasAuthenticator, passkeys }: ListedPerson): string {
  const factors = [
    ...(hasAuthenticator ? ['authenticator'] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`] : []),
  ];
  return factors.length === 0 ? 'no second factor' : factors.join(', ');
}

function byHand(operation: string, atMs: number) {
  return { atMs, personId: null, operation, address: '' };
}

function emailAddress(text: string): string {
  if (text.length > 254 || !/^[!-?A-~]+@[!-?A-~]+$/.test(text))
    throw new InvalidArgumentError('an e-mail address looks like ada@example.com');
  return text.toLowerCase();
}
