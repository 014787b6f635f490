// Checks one screen in its forms: wide, dark, on a phone. Axe checks each form, and the page is loaded only once.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export type Form = 'wide' | 'dark' | 'phone';

interface FormLook {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** The rules of axe that this form can break although the forms before broke none; null for all. */
  readonly rules: readonly string[] | null;
}

export const forms: Readonly<Record<Form, FormLook>> = {
  wide: { theme: 'light', width: 1_280, height: 800, rules: null },
  // The same page in other colours.
  dark: { theme: 'dark', width: 1_280, height: 800, rules: ['color-contrast'] },
  // Elements are moved, left out and cut off; colours and texts are those of the wide form.
  phone: {
    theme: 'light',
    width: 390,
    height: 844,
    rules: [
      'aria-hidden-focus',
      'button-name',
      'empty-heading',
      'label',
      'landmark-one-main',
      'link-name',
      'page-has-heading-one',
      'region',
      'scrollable-region-focusable',
    ],
  },
};

export const allForms: readonly [Form, ...Form[]] = ['wide', 'dark', 'phone'];

export async function takeForm(page: Page, form: Form): Promise<void> {
  const { theme, width, height } = forms[form];
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height });
}

/**
 * Defects of the screen in this form: broken rules, and a page that is wider than its window. Empty where there are
 * none.
 */
export async function formFindings(
  page: Page,
  form: Form,
  // Null checks every rule, for a screen that is checked in this form only.
  rules: readonly string[] | null = forms[form].rules,
): Promise<readonly string[]> {
  await takeForm(page, form);
  // AxeBuilder sends the whole library each time. The first analysis leaves it in the page, where it is used again.
  if ((await page.evaluate('typeof axe')) === 'undefined')
    await new AxeBuilder({ page }).setLegacyMode(true).withRules('document-title').analyze();
  return page.evaluate(findInPage, rules);
}

/** Runs in the browser, so it holds everything it needs. */
async function findInPage(rules: readonly string[] | null): Promise<readonly string[]> {
  // Globals of browsers, which the types of Node lack.
  const here = globalThis as unknown as {
    axe: {
      run(
        what: unknown,
        options: object,
      ): Promise<{
        readonly violations: readonly {
          readonly id: string;
          readonly nodes: readonly { readonly html: string }[];
        }[];
      }>;
    };
    document: {
      readonly documentElement: { readonly scrollWidth: number };
      getAnimations(): readonly {
        readonly effect: { getComputedTiming(): { endTime: number } };
        finish(): void;
      }[];
    };
    innerWidth: number;
    requestAnimationFrame(work: () => void): void;
  };
  // Waits for two frames, because elements that follow the width of the window are drawn in the second one.
  for (let frames = 0; frames < 2; frames += 1)
    await new Promise<void>((resolve) => here.requestAnimationFrame(resolve));
  // Ends the fades of a changed theme. Endless animations go on.
  for (const animation of here.document.getAnimations())
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
  const tooWide = here.document.documentElement.scrollWidth - here.innerWidth;
  const only = rules === null ? {} : { runOnly: { type: 'rule', values: rules } };
  const { violations } = await here.axe.run(here.document, { ...only, resultTypes: ['violations'] });
  return [
    ...(tooWide > 0 ? [`${tooWide} px wider than its window`] : []),
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
  ];
}

/** Waits until the screen shows the answers to all its requests. */
export async function screenIsThere(page: Page): Promise<void> {
  try {
    await page.waitForFunction(isThere);
  } catch (error) {
    // A time-out alone does not say which of the conditions failed.
    throw new Error(`${page.url()} is not there: ${await page.evaluate(shownInstead)}`, { cause: error });
  }
}

/** Runs in the browser. */
function isThere(): boolean {
  const { document } = globalThis as unknown as {
    document: { querySelector(selector: string): object | null };
  };
  const heading = document.querySelector('h1:not([data-left]), h2:not([data-left])');
  return heading !== null && document.querySelector('[aria-busy="true"], [data-left]') === null;
}

/** Runs in the browser: the headings, and the elements that still wait for an answer. */
function shownInstead(): string {
  const { document } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<{ readonly outerHTML: string }> };
  };
  const shown = [...document.querySelectorAll('h1, h2, [aria-busy="true"], [data-left]')];
  return shown.map(({ outerHTML }) => outerHTML.slice(0, 160)).join(' | ');
}

/**
 * Marks the heading of the shown screen, so that `screenIsThere` waits for another one. The old screen stays until
 * the next one has been fetched, although the address has changed already.
 */
export async function leaveScreen(page: Page): Promise<void> {
  const heading = page.locator('main h1').first();
  await heading.evaluate((shown: { setAttribute(name: string, value: string): void }) =>
    shown.setAttribute('data-left', ''),
  );
}

/** Goes to another address without loading the page anew, as a link of the page does. */
export async function walkTo(page: Page, path: string): Promise<void> {
  await page.evaluate(walk, path);
}

/** Runs in the browser. */
function walk(path: string): void {
  const here = globalThis as unknown as {
    location: { readonly pathname: string; readonly search: string };
    history: { pushState(state: null, title: string, path: string): void };
    dispatchEvent(event: Event): boolean;
    document: { querySelector(selector: string): { setAttribute(name: string, value: string): void } | null };
    PopStateEvent: new (name: string) => Event;
  };
  const { pathname, search } = here.location;
  if (path === pathname || path === pathname + search) return;
  // The old screen stays until the new one has been fetched.
  here.document.querySelector('main h1')?.setAttribute('data-left', '');
  here.history.pushState(null, '', path);
  here.dispatchEvent(new here.PopStateEvent('popstate'));
}
