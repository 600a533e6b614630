/** What one AI search takes, and how long it is kept. */
export const QUERY_CHARACTERS_MAX = 500;
export const AI_LIMIT_MAX = 100;
export const AI_LIMIT_DEFAULT = 25;
/** `offset + limit` reaches this far. */
export const AI_WINDOW_MAX = 1_000;
/** Values of `states`, `counties` and `cities` each, repeated ones counted. */
export const AI_PLACES_MAX = 100;
/** Days that a settled search can be polled. */
export const AI_KEPT_DAYS = 3;
