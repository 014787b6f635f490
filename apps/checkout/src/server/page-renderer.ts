// The page as HTML, for the gateway: in the payer's language, with everything that no script is needed for.
import type { CheckoutState, PageOffer } from '@ducat/contract/checkout-view';
import { allWords } from '../words/all-words.ts';
import { en } from '../words/en.ts';
import { assetsFolder } from './assets.ts';
import { chooseLanguage } from './choose-language.ts';
import { noticeDocument, pageDocument } from './document.tsx';

interface Place {
  readonly base: string;
  readonly language: string;
  readonly acceptLanguage: string;
}

interface Content extends Place, CheckoutState {
  readonly offers: readonly PageOffer[];
  readonly refused: string;
  readonly lastUsed: number;
  readonly isChanging: boolean;
  readonly accent: string | null;
  readonly faucet: string;
  readonly frameOrigins: readonly string[];
  readonly nonce: string;
}

export const pageRenderer = {
  assetsFolder,

  page(content: Content): string {
    const language = chooseLanguage(content.language, content.acceptLanguage);
    const { now, view, offers, base, refused, lastUsed, isChanging, faucet, frameOrigins, accent, nonce } =
      content;
    const words = allWords[language.code] ?? en;
    const data = {
      now,
      view,
      offers,
      base,
      refused,
      lastUsed,
      isChanging,
      faucet,
      frameOrigins,
      language: language.code,
      words,
    };
    return pageDocument(data, { language, accent, nonce });
  },

  notice(kind: 'unknown' | 'trouble', { base, language: asked, acceptLanguage }: Place): string {
    const language = chooseLanguage(asked, acceptLanguage);
    return noticeDocument(kind, { base, language, words: allWords[language.code] ?? en });
  },
};
