// Keeps the messages of assertions from being mutated. People read them after a process has stopped; they decide nothing.

/** @param {any} path a node of the source with its place, as Babel gives it */
function shouldIgnore({ parent, listKey, key }) {
  const isText = listKey === 'arguments' && key === 1 && parent.type === 'CallExpression';
  return isText && parent.callee.name === 'assert' ? 'the words of an assertion' : undefined;
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'assert-texts', value: { shouldIgnore } }];
