// currency/token-list: every token that this gateway offers.
import { accept } from '@ducat/core/result';
import type { Handler } from '../handler.ts';
import { presentToken } from '../present.ts';

export const handleTokenList: Handler<'token-list'> = ({ deps }) =>
  Promise.resolve(accept(deps.catalogue.listed().map((listing) => presentToken(listing, deps))));
