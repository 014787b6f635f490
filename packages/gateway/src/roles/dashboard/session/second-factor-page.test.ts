// The dialogs for a second factor, in a real browser: a wrong code, a lock and an outage have texts of their own.
import { type Acting, startActing } from '@ducat/testkit/browser/acting';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let acting: Acting;
beforeAll(async () => {
  acting = await startActing(inject('postgresAdminUrl'), 'owner');
});
afterAll(() => acting?.close());

const button = (name: string) => acting.person.page.getByRole('button', { name, exact: true });
const dialog = () => acting.person.page.getByRole('dialog');

/** The operation ends so each time; null is no answer at all. */
async function endWith(operation: string, refusal: { status: number; code: string } | null): Promise<void> {
  const url = `**/api/${operation}`;
  await acting.person.page.unroute(url);
  await acting.person.page.route(url, (route) => {
    if (refusal === null) return route.abort();
    const { status, code } = refusal;
    return route.fulfill({
      status,
      contentType: 'application/json',
      body: JSON.stringify({ code, message: 'no' }),
    });
  });
}

const ends = [
  [{ status: 429, code: 'too-many' }, 'Too many attempts. Wait a few minutes and try again.'],
  [{ status: 503, code: 'unavailable' }, 'The server is starting or its database is away.'],
  [null, 'The server does not answer.'],
] as const;

describe('a second factor', () => {
  it('that is asked for again is wrong, locked, or not answered', async () => {
    acting.shop.api.world.advance(6 * 60_000);
    await acting.shop.bookFinal(() => []);
    await acting.person.go(`/m/mer_1/apps/${acting.shop.api.payment.appId}?tab=checkout`);
    await button('Save settings').click();
    await dialog().getByLabel('Password').fill('whatever it was');
    const wrong = [{ status: 400, code: 'sign-in-failed' }, 'E-mail or password is wrong'] as const;
    for (const [refusal, text] of [wrong, ...ends]) {
      await endWith('session.step-up', refusal);
      await button('Confirm').click();
      await dialog().getByRole('alert').filter({ hasText: text }).waitFor();
    }
  });

  it('that is set up gets a wrong code, or no answer', async () => {
    await acting.person.go('/account');
    await button('Set up authenticator').click();
    await dialog().getByLabel('The code that the app shows now').fill('000000');
    const wrong = [{ status: 400, code: 'field-invalid' }, 'This code is not right'] as const;
    for (const [refusal, text] of [wrong, ...ends]) {
      await endWith('totp.confirm', refusal);
      await button('Turn on').click();
      await dialog().getByRole('alert').filter({ hasText: text }).waitFor();
    }
    expect(acting.person.complaints.filter((one) => !one.includes('Failed to load'))).toEqual([]);
  });
});
