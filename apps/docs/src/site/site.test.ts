// The whole site: nothing is forgotten, every link leads somewhere, and pages need no inline script or style.
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { codes } from '@ducat/contract/codes';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { events } from '@ducat/contract/events/registry';
import { beforeAll, describe, expect, it } from 'vitest';
import { guides, operating } from './contents.ts';
import { buildSite } from './site.ts';

const root = join(import.meta.dirname, '../../../..');
const assets = { script: 'assets/docs.js', style: 'assets/docs.css', font: 'assets/inter.woff2' };
let files: ReadonlyMap<string, string | Buffer>;
let pages: readonly (readonly [path: string, page: string])[];
beforeAll(async () => {
  files = await buildSite(root, assets);
  pages = [...files].flatMap(([name, content]) =>
    typeof content === 'string' && name.endsWith('.html') ? [[name.slice(0, -'.html'.length), content]] : [],
  );
});

const pageAt = (path: string) => pages.find(([name]) => name === path)?.[1] ?? '';

describe('the docs site', () => {
  it('has every page for merchants and operators, and every source is there', () => {
    const sources = [...guides, ...operating].flatMap(({ entries }) => entries.map(({ source }) => source));
    for (const folder of ['docs/integrate', 'docs/operate'])
      for (const name of readdirSync(join(root, folder)).filter((file) => file.endsWith('.md')))
        expect(sources).toContain(`${folder}/${name}`);
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true);
  });

  it('has no link, picture or anchor that leads nowhere', () => {
    const lost = pages.flatMap(([path, page]) => {
      const here = path === 'index' ? '/docs' : `/docs/${path}`;
      const links = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
      return links.filter((link) => !leads(link, here)).map((link) => `${path}: ${link}`);
    });
    expect(lost).toEqual([]);
  });

  it('leads to no file of the repository that is not there', () => {
    const named = pages.flatMap(([, page]) =>
      [...page.matchAll(/class="elsewhere" title="([^"]*)"/g)].map(([, source = '']) => source),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });

  it('names every operation, field, event and code', () => {
    for (const [name, { path, request }] of Object.entries(endpoints)) {
      const page = pageAt(`api/${name}`);
      expect(page).toContain(`<code>${path}</code>`);
      for (const field of Object.keys(request.properties)) expect(page).toContain(`id="request-${field}"`);
    }
    for (const { type, body } of Object.values(events)) {
      const page = pageAt(`api/event-${type.toLowerCase().replaceAll('_', '-')}`);
      for (const field of Object.keys(body.properties)) expect(page).toContain(`id="body-${field}"`);
    }
    for (const { code } of codes) expect(pageAt('api/codes')).toContain(`id="code-${code}"`);
  });

  it('needs no inline script or style, so that the policy of its pages can be strict', () => {
    for (const [path, page] of pages) {
      expect(page.match(/<style|<iframe| style="| on[a-z]+="|javascript:/), path).toBe(null);
      for (const [script] of page.matchAll(/<script[^>]*>[^<]*/g)) expect(script).toMatch(/ src="[^"]+"><?$/);
    }
  });
});

/** Whether the address is there, as seen from the page at `here`. */
function leads(link: string, here: string): boolean {
  if (/^(?:https?:|data:,)/.test(link)) return true;
  const [file = '', fragment = ''] = link.split('#');
  const address = file === '' ? here : posix.join(posix.dirname(here), file);
  if (address === '/openapi.json' || address.startsWith('/docs/assets/')) return true;
  const path = address === '/docs' ? 'index' : address.replace('/docs/', '');
  const page = files.get(`${path}.html`);
  if (page === undefined) return files.has(path) && fragment === '';
  return fragment === '' || String(page).includes(` id="${fragment}"`);
}
