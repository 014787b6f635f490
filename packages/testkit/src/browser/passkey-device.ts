// A device that keeps passkeys and knows its owner, in Chromium: every passkey that a page asks for is made and used at once.
import type { Page } from 'playwright-core';

export async function addPasskeyDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  });
}
