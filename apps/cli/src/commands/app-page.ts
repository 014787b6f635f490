// ducat app page: how the payment pages of an app look, whom payers can ask, and whose sites may frame them.
import { Command, InvalidArgumentError } from 'commander';
import type { CheckoutPage } from '@ducat/gateway/db/tables/checkout-pages';
import { changePage } from '@ducat/gateway/flows/merchants/change-page';
import { CommandError } from '../command-error.ts';
import { columns } from '../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

interface PageOptions extends ConfigOptions {
  readonly accent?: string;
  readonly contact?: string;
  readonly frameOrigin?: readonly string[];
  readonly frames: boolean;
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
    .option('--json', 'the result as JSON')
    .action(setPage);
}

async function setPage(appId: string, options: PageOptions): Promise<void> {
  const change = {
    accent: options.accent,
    contact: options.contact,
    frameOrigins: options.frames ? options.frameOrigin : [],
  };
  const page = await onSetup(options, ({ database }) =>
    database.transact((tx) => changePage(tx, appId, change)),
  );
  if (page === null) throw new CommandError(`there is no app ${appId}`);
  process.stdout.write(`${options.json === true ? asJson(page) : asText(page)}\n`);
}

function asJson({ accent: colour, contact: asked, frameOrigins }: CheckoutPage): string {
  return JSON.stringify({ accent: colour, contact: asked, frame_origins: frameOrigins });
}

function asText({ accent: colour, contact: asked, frameOrigins }: CheckoutPage): string {
  return columns([
    ['Accent', colour ?? "(Ducat's own)"],
    ['Payers ask', asked ?? '(nobody)'],
    ['Frames on', frameOrigins.length === 0 ? '(no site)' : frameOrigins.join(', ')],
  ]).join('\n');
}

function accent(text: string): string {
  if (!/^#[0-9a-fA-F]{6}$/.test(text))
    throw new InvalidArgumentError('a colour is # and six digits, such as #0b6638');
  return text.toLowerCase();
}

const MAX_CONTACT = 200;

function contact(text: string): string {
  const isMail = /^[^\s@/:]+@[^\s@/]+$/.test(text);
  const isWeb = /^https:\/\//i.test(text) && URL.canParse(text);
  if (text.length > MAX_CONTACT || (!isMail && !isWeb))
    throw new InvalidArgumentError('an e-mail address, or one that begins with https://');
  return text;
}

/** As browsers write it: scheme, host, and a port only where it is not the usual one. */
function origin(text: string, before: readonly string[] = []): readonly string[] {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text)
    throw new InvalidArgumentError('an origin such as https://shop.example, without a path');
  return [...before, text];
}
