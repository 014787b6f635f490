// Puts the words of a language, which stand flat in its file, into the shape that English has.

/** "home.title" and what it says. */
export type Flat = Readonly<Record<string, string>>;

interface Tree {
  readonly [key: string]: string | Tree;
}

/** In the shape of `english`; a word that the language lacks stays as it is there. */
export function translated<Shape extends Tree>(english: Shape, flat: Flat): Shape {
  // Every key of it is kept, and every text becomes a text.
  return inShape(english, flat, '') as Shape;
}

function inShape(tree: Tree, flat: Flat, prefix: string): Tree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [
      key,
      typeof value === 'string'
        ? (flat[`${prefix}${key}`] ?? value)
        : inShape(value, flat, `${prefix}${key}.`),
    ]),
  );
}

/** The words of a tree by their flat keys. */
export function flattened(tree: Tree, prefix = ''): Flat {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[`${prefix}${key}`, value]]
        : Object.entries(flattened(value, `${prefix}${key}.`)),
    ),
  );
}
