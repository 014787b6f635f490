// A person at the dashboard: a browser of their own, and what they do there by the words on the page.
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

  /** `clock` is the server's: the codes of the second factor go by it, and the page's own clock. */
  static async open(browser: Browser, origin: string, clock: Clock): Promise<Visitor> {
    const context = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const;
    const visit = await openPayerPage(browser, { context });
    await visit.page.clock.setFixedTime(clock.nowMs());
    return new Visitor(visit, origin, clock);
  }

  /** As somebody who has signed in on plain http. */
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

  /** For what has no words. */
  get page(): Page {
    return this.#visit.page;
  }

  url(): string {
    return this.#visit.page.url();
  }

  /** Rules of axe that the page breaks now, with the dialog that is open. */
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

  /** To one section of the page. */
  turnTo(name: string): Promise<void> {
    return this.#visit.page.getByRole('tab', { name, exact: true }).click();
  }

  pressMatching(name: RegExp): Promise<void> {
    return this.#visit.page.getByRole('button', { name }).click();
  }

  /** The button of the dialog, where the page has one of the same name. */
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

  /** Throws with what the page shows instead. */
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

  /** What the server answers to the next call of that name. */
  async answer<Name extends OperationName>(name: Name): Promise<ResponseOf<Name>> {
    const response = await this.#visit.page.waitForResponse(`**/api/${name}`);
    // The schema of an answer is held in the tests of the role.
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

  /** As a person of the test's tables, for the first time: with the password that they all have. */
  async signIn(email: string): Promise<void> {
    await this.go('/');
    await this.type('E-mail', email);
    await this.type('Password', TEST_PASSWORD);
    await this.#enrol('Sign in');
  }

  /** Follows the link of a sign-up to an account and a merchant of one's own, with its second factor. */
  async openMerchant(link: string, merchant: string, name: string): Promise<void> {
    await this.open(link);
    await this.type('Name of your business', merchant);
    await this.type('Your name', name);
    await this.type('Choose a password', 'a long and winding road');
    await this.#enrol('Create account');
  }

  /** Follows an invitation to an account of one's own, with its second factor. */
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

  /** The second factor of a sign-in that is under way. */
  async enterCode(): Promise<void> {
    await this.type('Code of 6 digits', this.#code());
    await this.press('Continue');
  }

  #code(): string {
    if (this.#totp === null) throw new Error('nobody has set up a second factor here');
    return this.#totp.generate({ timestamp: this.#clock.nowMs() });
  }

  /** Presses what shows the secret of an authenticator, and turns that on. */
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
