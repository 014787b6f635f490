// One page of the site, before the frame around it is drawn.
import type { Html } from '../html/html.ts';

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Page {
  /** The page's path below /docs, without a slash at either end; "" is the first page. */
  readonly path: string;
  readonly title: string;
  /** The title in the navigation. It is short, because the group's title is above it. */
  readonly shortTitle: string;
  /** One line for search engines and previews. */
  readonly description: string;
  readonly body: Html;
  readonly headings: readonly Heading[];
  /** Files of the repository that the text names and the site does not have. */
  readonly elsewhere: readonly string[];
  /** Whether the page has no list of headings: pages of operations show examples in its place. */
  readonly isWide: boolean;
}
