/** Case and parcel numbers as they are compared. Pure. */

/** What people put between the groups of a number, or leave out: blanks, dots and every kind of dash (Unicode category Pd, and the minus sign). */
const SEPARATORS = /[\s.\p{Pd}\u2212]+/gu;

/**
 * The form in which case numbers and parcel numbers are compared: in capitals, without blanks, dots and dashes. Leading zeros of a group are
 * part of the number and stay. What is served is the number as it was stated.
 * @returns '' where nothing is left to compare
 */
export const normalizeReferenceNumber = (number: string): string => number.normalize('NFKC').replace(SEPARATORS, '').toUpperCase();
