// Finds an element that the page must have.

/** Throws where the element is missing: then page and script are of different builds. */
export function one<Kind extends Element>(
  within: ParentNode,
  selector: string,
  kind: abstract new (...all: never[]) => Kind,
): Kind {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}
