// How a list finds its place in an index whose first column is the owner of the rows: all lists follow this rule.

/**
 * SQL: the first column of an index has this value. The value is an array of one, which is an equality to the index and
 * none to the planner. For a plain equality the planner would drop the column from ORDER BY. The index of the key alone
 * would then fit too, and its scan walks past the rows of all other owners. The list adds plain comparisons for the bounds
 * of its key, and its ORDER BY names both columns. So the index is entered and left at these bounds. Decision 0191.
 */
export const oneOf = (column: string, value: string): string => `${column} = ANY (ARRAY[${value}])`;
