// ducat app page: the look of an app's payment pages, the contact for payers, and the sites that may frame the pages.
import { readFileSync, statSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { PAYER_CONTACT_EXPECTS, payerContactLink } from '@ducat/contract/fields/payer-contact';
import type { CheckoutPage } from '@ducat/gateway/db/tables/checkout-pages';
import { changePage } from '@ducat/gateway/flows/merchants/change-page';
import { pictureType } from '@ducat/gateway/http/picture-type';
import { CommandError } from '../../command-error.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface PageOptions extends ConfigOptions {
  readonly accent?: string;
  readonly contact?: string;
  readonly frameOrigin?: readonly string[];
  readonly frames: boolean;
  /** False for --no-logo. */
  readonly logo?: Uint8Array | false;
  readonly test?: boolean;
  readonly json?: true;
}

/** The command, to be added to `ducat app`. */
export function appPageCommand(): Command {
  return withConfigOptions(new Command('page'))
    .description('show or change the payment pages of an app; what is not named stays')
    .argument('<app_id>', 'AppId')
    .option('--accent <colour>', 'colour of the main button, such as #0b6638', accent)
    .option('--contact <address>', 'whom payers can ask: an e-mail or https address', contact)
    .option('--frame-origin <origin>', 'a site that may show the page in a frame; may be repeated', origin)
    .option('--no-frames', 'no site may do that any more')
    .option('--logo <file>', 'the picture beside the name: PNG, JPEG or WebP, square, at most 64 kB', logo)
    .option('--no-logo', 'the first letter of the name instead')
    .option('--test', 'a test app: its pages may pay from a faucet; real coins are taken all the same')
    .option('--no-test', 'no test app any more')
    .option('--json', 'the result as JSON')
    .action(setPage);
}

async function setPage(appId: string, options: PageOptions): Promise<void> {
  const change = {
    accent: options.accent,
    contact: options.contact,
    frameOrigins: options.frames ? options.frameOrigin : [],
    logo: options.logo === false ? null : options.logo,
    isTest: options.test,
  };
  const page = await onSetup(options, ({ database }) =>
    database.transact((tx) => changePage(tx, appId, change)),
  );
  if (page === null) throw new CommandError(`there is no app ${appId}`);
  process.stdout.write(`${options.json === true ? asJson(page) : asText(page)}\n`);
}

function asJson({
  accent: colour,
  contact: asked,
  frameOrigins,
  logo: picture,
  isTest,
}: CheckoutPage): string {
  const logoBytes = picture?.length ?? 0;
  return JSON.stringify({
    accent: colour,
    contact: asked,
    frame_origins: frameOrigins,
    logo_bytes: logoBytes,
    is_test: isTest,
  });
}

function asText({
  accent: colour,
  contact: asked,
  frameOrigins,
  logo: picture,
  isTest,
}: CheckoutPage): string {
  return columns([
    ['Logo', picture === null ? '(the first letter)' : `${picture.length} bytes, ${pictureType(picture)}`],
    ['Accent', colour ?? "(Ducat's own)"],
    ['Payers ask', asked ?? '(no contact set)'],
    ['Frames on', frameOrigins.length === 0 ? '(no site)' : frameOrigins.join(', ')],
    ['Kind', isTest ? 'test: pages may pay from a faucet' : 'real money'],
  ]).join('\n');
}

function accent(text: string): string {
  if (!/^#[0-9a-fA-F]{6}$/.test(text))
    throw new InvalidArgumentError('a colour is # and six digits, such as #0b6638');
  return text.toLowerCase();
}

function contact(text: string): string {
  if (payerContactLink(text) === null) throw new InvalidArgumentError(PAYER_CONTACT_EXPECTS);
  return text;
}

/** Reads an origin as browsers write it: scheme, host, and a port only where it is not the default one. */
function origin(text: string, before: readonly string[] = []): readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text)
    throw new InvalidArgumentError('an origin such as https://shop.example, without a path');
  return [...before, text];
}

const MAX_LOGO_BYTES = 65_536;

function logo(file: string): Uint8Array {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new InvalidArgumentError('there is no such file');
  const bytes = readFileSync(file);
  if (bytes.length > MAX_LOGO_BYTES) throw new InvalidArgumentError(`more than ${MAX_LOGO_BYTES} bytes`);
  if (pictureType(bytes) === null)
    throw new InvalidArgumentError('neither a PNG nor a JPEG nor a WebP picture');
  return bytes;
}
