// The whole site as files, by their path below /docs: pages, pictures, and the list for the search.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { files, pictures } from './contents.ts';
import { type Assets, documentOf } from './document.ts';
import { allPages } from './pages.ts';
import { searchIndex } from './search-index.ts';

/** `root` is the root of the repository. The first page is "index.html"; any other page is its path with ".html". */
export async function buildSite(root: string, assets: Assets): Promise<ReadonlyMap<string, string | Buffer>> {
  const shown = pictures.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  );
  const groups = await allPages(root, shown);
  const pages = groups.flatMap((group) => group.pages);
  return new Map<string, string | Buffer>([
    ...pages.map(
      (page) => [`${page.path === '' ? 'index' : page.path}.html`, documentOf(page, groups, assets)] as const,
    ),
    ...[...files, ...shown].map(
      (source) => [source.replace('docs/', ''), readFileSync(join(root, source))] as const,
    ),
    ['search.json', JSON.stringify(searchIndex(groups))],
  ]);
}
