// Brings a page to life: search, buttons to copy, the choice of language, and signatures. Pages are whole without it.
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
