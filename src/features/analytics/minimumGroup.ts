/** Fewest records on which a number may rest. */
export const MINIMUM_GROUP_SIZE = 5;
