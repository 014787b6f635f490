// The side navigation, and which page comes before and after another.
import { type Html, html } from '../html/html.ts';
import { hrefOf } from '../page/addresses.ts';
import type { Page } from '../page/page.ts';

export interface NavigationGroup {
  readonly title: string;
  readonly pages: readonly Page[];
}

export function navigation(groups: readonly NavigationGroup[], here: Page): Html {
  const shown = groups.map(
    ({ title, pages }, i) =>
      html`<section aria-labelledby="group-${i}"><h2 id="group-${i}">${title}</h2><ul>${pages.map((page) => entry(page, here))}</ul></section>`,
  );
  return html`${shown}`;
}

function entry(page: Page, here: Page): Html {
  const current = page.path === here.path ? html` aria-current="page"` : html``;
  return html`<li><a href="${hrefOf(here.path, page.path)}"${current}>${page.shortTitle}</a></li>`;
}

/** Links to the pages beside this one, in the order of the navigation. */
export function pager(groups: readonly NavigationGroup[], here: Page): Html {
  const all = groups.flatMap(({ pages }) => pages);
  const at = all.findIndex(({ path }) => path === here.path);
  const link = (page: Page | undefined, what: 'Previous' | 'Next') =>
    page === undefined
      ? html`<span></span>`
      : html`<a href="${hrefOf(here.path, page.path)}" rel="${what === 'Next' ? 'next' : 'prev'}"><small>${what}</small>${page.shortTitle}</a>`;
  return html`<nav class="pager" aria-label="Next and previous page">${link(all[at - 1], 'Previous')}${link(all[at + 1], 'Next')}</nav>`;
}
