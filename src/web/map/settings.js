// Settings that the server embeds in the page.

/**
 * @typedef {object} Settings
 * @property {string} apiRoot
 * @property {string} keysRoot
 * @property {string} publicUrl
 * @property {string} worker path of the worker of the map's renderer
 * @property {{states: string, counties: string, names: string}} outlines
 * @property {Record<string, string>} remedies what helps, by code of an error
 */

/** @type {Settings} */
export const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
