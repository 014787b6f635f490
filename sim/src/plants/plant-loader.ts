// A module loader that changes one text of one file of the compiled product.
import type { InitializeHook, LoadHook } from 'node:module';
import { changesOf, type Plant } from './planted-bug.ts';

let planted: Plant | null = null;

export const initialize: InitializeHook<Plant> = (plant) => {
  planted = plant;
};

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  const changes =
    planted === null ? [] : changesOf(planted).filter(({ file }) => url.endsWith(`/packages/${file}`));
  if (changes.length === 0) return loaded;
  const bytes = loaded.source ?? '';
  let source = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  for (const { file, find, replace } of changes) {
    if (source.split(find).length !== 2) throw new Error(`"${find}" is not once in ${file}`);
    // A function, because `replace` may hold `$` patterns, which replace() would expand in a string.
    source = source.replace(find, () => replace);
  }
  return { ...loaded, source };
};
