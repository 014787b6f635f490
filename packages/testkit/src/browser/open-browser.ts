// A real Chromium from npm, one for the whole process: no system package and no install script is needed.
import { setImmediate } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

let opened: Promise<Browser> | null = null;

/** The browser that all test files of this process share; ends with the process. */
export function openBrowser(): Promise<Browser> {
  opened ??= launch();
  return opened;
}

/** Not the package's own arguments: one process for everything and no web security are no real browser. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--no-zygote', '--disable-gpu'];

async function launch(): Promise<Browser> {
  // By this name the package decides to bring the libraries that a bare machine lacks.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x';
  const { default: packed } = await import('@sparticuz/chromium');
  await setImmediate();
  return chromium.launch({ executablePath: await packed.executablePath(), args: ARGUMENTS, headless: true });
}
