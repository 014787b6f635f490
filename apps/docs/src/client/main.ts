// The script of every page: search, buttons to copy, the choice of language, and signatures. Pages also work without it.
import { addCopyButtons } from './copy.ts';
import { rememberLanguage } from './language.ts';
import { startSearch } from './search.ts';
import { startSigning } from './signing.ts';
import { checkVectors } from './vectors.ts';

startSearch();
rememberLanguage();
const signing = startSigning();
addCopyButtons(() => signing?.renew() ?? Promise.resolve());
void checkVectors();
