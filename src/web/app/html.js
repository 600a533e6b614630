// Elements from templates: htm over preact.
import htm from 'htm';
import { h } from 'preact';

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = /** @type {any} */ (htm.bind(h));
