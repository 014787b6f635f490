// All pages of the site in the order of the navigation: those from files of the repository, and the reference.
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Endpoint } from '@ducat/contract/endpoint';
import { type EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { events } from '@ducat/contract/events/registry';
import { codeBlock } from '../html/highlight.ts';
import { html } from '../html/html.ts';
import { renderMarkdown } from '../markdown/markdown.ts';
import { eventPage } from '../reference/event-page.ts';
import { codesPage, overviewPage, vectorsPage } from '../reference/lists.ts';
import { operationPage } from '../reference/operation-page.ts';
import { type Entry, files, type Group, guides, operating } from './contents.ts';
import type { NavigationGroup } from './navigation.ts';
import type { Page } from '../page/page.ts';

/** `pictures` are files below docs/ that pages show. */
export async function allPages(
  root: string,
  pictures: readonly string[],
): Promise<readonly NavigationGroup[]> {
  const pathOf = new Map<string, string>([
    ...[...guides, ...operating].flatMap(({ entries }) =>
      entries.map(({ source, path }) => [source, path] as const),
    ),
    ...[...files, ...pictures].map((source) => [source, source.replace('docs/', '')] as const),
  ]);
  const read = ({ title, entries }: Group): NavigationGroup => ({
    title,
    pages: entries.map((entry) => pageOf(root, entry, pathOf)),
  });
  return [...guides.map(read), ...(await reference()), ...operating.map(read)];
}

async function reference(): Promise<readonly NavigationGroup[]> {
  // The keys of the registry are the names of its endpoints.
  const all = Object.entries(endpoints) as readonly (readonly [EndpointName, Endpoint])[];
  const operations = await Promise.all(all.map(([name, endpoint]) => operationPage(name, endpoint)));
  return [
    { title: 'API reference', pages: [overviewPage(), ...operations, codesPage(), vectorsPage()] },
    { title: 'Webhook events', pages: Object.values(events).map((event) => eventPage(event)) },
  ];
}

const LANGUAGES: Readonly<Record<string, string>> = { '.mjs': 'javascript', '.toml': 'ini' };

function pageOf(
  root: string,
  { source, path, shortTitle }: Entry,
  pathOf: ReadonlyMap<string, string>,
): Page {
  const text = readFileSync(join(root, source), 'utf8').replaceAll('\r\n', '\n');
  if (extname(source) !== '.md') return codePage(source, path, text);
  const { html: body, title, lead, headings, elsewhere } = renderMarkdown(text, { source, path, pathOf });
  return { path, title, shortTitle, description: lead, body, headings, elsewhere, isWide: false };
}

/** A page that shows a file of code unchanged. */
function codePage(source: string, path: string, text: string): Page {
  const title = basename(source);
  return {
    path,
    title,
    shortTitle: title,
    description: `The file ${source} of the repository.`,
    body: html`<h1>${title}</h1><p>The file <code>${source}</code> of the repository, as it stands.</p>${codeBlock(text, LANGUAGES[extname(source)] ?? '')}`,
    headings: [{ level: 1, id: '', text: title }],
    elsewhere: [],
    isWide: false,
  };
}
