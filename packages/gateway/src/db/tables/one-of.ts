// How a list finds its place in an index whose first column says whose the rows are: the one rule of these statements.

/**
 * That the first column has this value. An index of that column and the list's key is entered at the bounds of the key
 * and left there: both are plain comparisons beside it, and `ORDER BY` names both columns. An array of one value is an
 * equality to the index and none to the planner. For a plain one it would drop the column from the order, and the index
 * of the key alone would serve too, which walks past the rows of everybody else. Decision 0191.
 */
export const oneOf = (column: string, value: string): string => `${column} = ANY (ARRAY[${value}])`;
