/** JSON that a test looks into field by field. */
// biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
export type Json = any;
