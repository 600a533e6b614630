/** Words behind the name of a street, in lower case. */
const ROADS = 'street st avenue ave road rd boulevard blvd lane ln highway hwy parkway pkwy'.split(' ');
const TURNPIKES = ['turnpike', 'pike'];
/** They are also words of other things. */
const OTHERS = 'drive dr court ct way place pl circle'.split(' ');

/** What names nothing but a street. */
export const SURE_STREETS: ReadonlySet<string> = new Set([...ROADS, ...TURNPIKES]);

/** Behind the name of a place: it is that of a street then. */
export const STREETS: ReadonlySet<string> = new Set([...ROADS, ...OTHERS]);

/** Behind the number and name of an address. */
export const ADDRESS_STREETS: ReadonlySet<string> = new Set([...ROADS, ...TURNPIKES, ...OTHERS]);
