/** Words behind the name of a street, in lower case. */
const ROADS = 'street st avenue ave road rd boulevard blvd lane ln highway hwy parkway pkwy'.split(' ');
const TURNPIKES = ['turnpike', 'pike'];
/** Words for streets that have other meanings, too. */
const OTHERS = 'drive dr court ct way place pl circle'.split(' ');

/** Words that only name streets. */
export const SURE_STREETS: ReadonlySet<string> = new Set([...ROADS, ...TURNPIKES]);

/** Words after which the name of a place is the name of a street. */
export const STREETS: ReadonlySet<string> = new Set([...ROADS, ...OTHERS]);

/** Words that end an address after its number and name. */
export const ADDRESS_STREETS: ReadonlySet<string> = new Set([...ROADS, ...TURNPIKES, ...OTHERS]);
