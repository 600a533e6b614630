/** Why nothing can be read from a file, or from a part of it. */

export type UnreadReason =
  | 'empty'
  | 'too_large'
  | 'wrong_type'
  | 'broken'
  | 'encrypted'
  | 'scan_without_text'
  | 'text_damaged'
  | 'another_language'
  | 'error_page'
  | 'took_too_long'
  | 'took_too_much_memory';

/** Ends the reading of a file with its reason. */
export class UnreadError extends Error {
  readonly reason: UnreadReason;

  constructor(reason: UnreadReason) {
    super(reason);
    this.reason = reason;
  }
}
