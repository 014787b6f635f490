// A person at the dashboard in a browser of their own, who acts by the texts that the page shows.
import { Secret, TOTP } from 'otpauth';
import type { OperationName, ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Browser, Locator, Page } from 'playwright-core';
import { TEST_PASSWORD } from '../api/test-dashboard.ts';
import { axeFindings } from './axe-findings.ts';
import { openPayerPage, type PayerPage } from './payer-page.ts';

interface Clock {
  nowMs(): number;
}

export class Visitor {
  readonly #visit: PayerPage;
  readonly #origin: string;
  readonly #clock: Clock;
  #totp: TOTP | null = null;

  private constructor(visit: PayerPage, origin: string, clock: Clock) {
    this.#visit = visit;
    this.#origin = origin;
    this.#clock = clock;
  }

  /** `clock` is the server's. The page's own clock is set to it, and the one-time codes are made for it. */
  static async open(browser: Browser, origin: string, clock: Clock): Promise<Visitor> {
    const context = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const;
    const visit = await openPayerPage(browser, { context });
    await visit.page.clock.setFixedTime(clock.nowMs());
    return new Visitor(visit, origin, clock);
  }

  /** Sets the session cookie of a person who has signed in on plain http. */
  async carry(token: string): Promise<void> {
    const cookie = { name: 'ducat-session', value: token, url: this.#origin };
    await this.#visit.page.context().addCookies([cookie]);
  }

  /** What the browser refused or a script failed with. */
  get complaints(): readonly string[] {
    return this.#visit.complaints;
  }

  close(): Promise<void> {
    return this.#visit.close();
  }

  /** For elements without a text. */
  get page(): Page {
    return this.#visit.page;
  }

  url(): string {
    return this.#visit.page.url();
  }

  /** Rules of axe that the page breaks now, an open dialog included. */
  findings(): Promise<readonly string[]> {
    return axeFindings(this.#visit.page);
  }

  async go(path: string): Promise<void> {
    await this.#visit.page.goto(`${this.#origin}${path}`);
  }

  async open(link: string): Promise<void> {
    await this.#visit.page.goto(link);
  }

  async reload(): Promise<void> {
    await this.#visit.page.reload();
  }

  type(label: string, text: string): Promise<void> {
    return this.#visit.page.getByLabel(label, { exact: true }).fill(text);
  }

  async choose(label: string, value: string): Promise<void> {
    await this.#visit.page.getByLabel(label, { exact: true }).selectOption(value);
  }

  check(label: string): Promise<void> {
    return this.#visit.page.getByLabel(label).check();
  }

  press(name: string): Promise<void> {
    return this.#visit.page.getByRole('button', { name, exact: true }).click();
  }

  /** One entry of the menu that is open. */
  pick(name: string): Promise<void> {
    return this.#visit.page.getByRole('menuitem', { name, exact: true }).click();
  }

  /** Opens one section of the page. */
  turnTo(name: string): Promise<void> {
    return this.#visit.page.getByRole('tab', { name, exact: true }).click();
  }

  pressMatching(name: RegExp): Promise<void> {
    return this.#visit.page.getByRole('button', { name }).click();
  }

  /** Presses the button in the dialog, where the page has a button of the same name. */
  confirm(name: string): Promise<void> {
    return this.#visit.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  }

  follow(name: string): Promise<void> {
    return this.#visit.page.getByRole('link', { name, exact: true }).click();
  }

  row(name: string): Locator {
    return this.#visit.page.getByRole('row', { name });
  }

  heading(name: string): Promise<void> {
    return this.#visit.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** Waits for a text. When the text does not appear, the error holds what the page shows instead. */
  async waitFor(text: string): Promise<void> {
    const { page } = this.#visit;
    try {
      await page.getByText(text).first().waitFor();
    } catch (error) {
      const shown = await page.locator('body').innerText();
      throw new Error(`"${text}" does not come. The page shows:\n${shown}`, { cause: error });
    }
  }

  async shows(text: string): Promise<boolean> {
    return (await this.#visit.page.getByText(text).count()) > 0;
  }

  /** The answer of the server to the next call of that operation. */
  async answer<Name extends OperationName>(name: Name): Promise<ResponseOf<Name>> {
    const response = await this.#visit.page.waitForResponse(`**/api/${name}`);
    // The tests of the role check answers against their schemas.
    return (await response.json()) as ResponseOf<Name>;
  }

  /** The link of an invitation, as the dialog shows it. */
  linkShown(): Promise<string> {
    return this.#visit.page.getByText('/invitation#').innerText();
  }

  /** The Ed25519 key that this browser has made, in hexadecimal. */
  async publicKeyShown(): Promise<string> {
    const line = await this.#visit.page.getByText(/^[a-z][a-z0-9-]* = "[0-9a-f]{64}"$/).innerText();
    const [publicKey = ''] = /[0-9a-f]{64}/.exec(line) ?? [];
    return publicKey;
  }

  /** Signs in a person of the test's tables for the first time, with the password that all of them have. */
  async signIn(email: string): Promise<void> {
    await this.go('/');
    await this.type('E-mail', email);
    await this.type('Password', TEST_PASSWORD);
    await this.#enrol('Sign in');
  }

  /** Follows the link of a sign-up: opens an account and a merchant, and sets up the second factor. */
  async openMerchant(link: string, merchant: string, name: string): Promise<void> {
    await this.open(link);
    await this.type('Name of your business', merchant);
    await this.type('Your name', name);
    await this.type('Choose a password', 'a long and winding road');
    await this.#enrol('Create account');
  }

  /** Follows an invitation: opens an account, and sets up the second factor. */
  async accept(link: string, name: string): Promise<void> {
    await this.open(link);
    await this.type('Your name', name);
    await this.type('Choose a password', 'a long and winding road');
    await this.#enrol('Create account');
  }

  /** Proves the second factor again, where a dialog asks for it. */
  async stepUp(): Promise<void> {
    await this.type('Code of 6 digits', this.#code());
    await this.confirm('Confirm');
  }

  /** Enters the second factor of a sign-in. */
  async enterCode(): Promise<void> {
    await this.type('Code of 6 digits', this.#code());
    await this.press('Continue');
  }

  #code(): string {
    if (this.#totp === null) throw new Error('nobody has set up a second factor here');
    return this.#totp.generate({ timestamp: this.#clock.nowMs() });
  }

  /** Presses the button that shows the secret of an authenticator, and turns the authenticator on. */
  async enrol(by: string): Promise<void> {
    const begun = this.answer('totp.begin');
    await this.press(by);
    const { secret } = await begun;
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await this.type('The code that the app shows now', this.#code());
    await this.press('Turn on');
  }

  async #enrol(by: string): Promise<void> {
    await this.enrol(by);
    await this.press('I have kept them');
  }
}
