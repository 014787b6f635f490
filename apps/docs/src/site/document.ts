// The document around a page: head, top bar, navigation, the list of its headings.
import { type Html, html } from '../html/html.ts';
import { EXAMPLE_URL } from '../reference/samples-block.ts';
import { apiHrefOf, hrefOf, rootOf } from '../page/addresses.ts';
import { type NavigationGroup, navigation, pager } from './navigation.ts';
import type { Heading, Page } from '../page/page.ts';

/** The files that every page loads, below /docs. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  /** The font of the first view, which is preloaded. */
  readonly font: string;
}

/** The HTML of a page. The gateway fills in `data-api` and `data-faucet` when it serves the page. */
export function documentOf(page: Page, groups: readonly NavigationGroup[], assets: Assets): string {
  const here = page.path;
  const title = here === '' ? 'Ducat docs' : `${page.title} · Ducat docs`;
  const text = html`<!doctype html>
<html lang="en" data-api="${EXAMPLE_URL}" data-faucet="" data-root="${rootOf(here)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><meta name="description" content="${page.description}"><meta name="color-scheme" content="light dark">
<link rel="preload" href="${hrefOf(here, assets.font)}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${hrefOf(here, assets.style)}"><link rel="icon" href="data:,">
<script type="module" src="${hrefOf(here, assets.script)}"></script></head>
<body><a class="skip" href="#content">Skip to the content</a>
<header class="top"><button type="button" class="menu" popovertarget="navigation">Menu</button>
<a class="brand" href="${hrefOf(here, '')}"><b>Ducat</b> Docs</a>
<search class="by-script"><input type="search" placeholder="Search" aria-label="Search the docs" aria-controls="found" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><div id="found" hidden></div></search>
<a class="top-link" href="${apiHrefOf(here, 'openapi.json')}">OpenAPI</a></header>
<div class="frame${page.isWide ? ' wide' : ''}"><nav id="navigation" class="navigation" popover aria-label="Docs">${navigation(groups, page)}</nav>
<main id="content"><article${here === '' ? html` class="home"` : html``}>${page.body}</article>${elsewhere(page)}${pager(groups, page)}</main>
${page.isWide ? html`` : headingList(page)}</div></body></html>
`;
  return text.text;
}

/** The list of files that the text names and the site does not have. */
function elsewhere({ elsewhere: sources }: Page): Html {
  if (sources.length === 0) return html``;
  const items = sources.map((source) => html`<li><code>${source}</code></li>`);
  return html`<aside class="elsewhere-list" aria-label="In the repository"><p>What is dotted above lies in the repository:</p><ul>${items}</ul></aside>`;
}

const FEWEST_HEADINGS = 2;

function headingList({ headings }: Page): Html {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length < FEWEST_HEADINGS) return html`<div></div>`;
  const item = ({ id, text }: Heading) => html`<li><a href="#${id}">${text}</a></li>`;
  return html`<aside class="headings" aria-label="On this page"><p>On this page</p><ul>${shown.map(item)}</ul></aside>`;
}
