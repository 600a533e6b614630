// Requests from the page of an operation, with the reader's key. A request that may cost is first sent with X-Service-Max-Credits: 0, which
// is answered if it is free and otherwise refused with its price; only a second button, which shows the price, lets it spend.
import { storedKey } from '../shared/storedKey.ts';
import { button } from './tabs.js';

/** @typedef {{method: string, url: string, spends: boolean, idempotent: boolean, alwaysCosts: boolean, body: string | null}} Given */

const SHOWN = 20_000;

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, unknown>} [properties]
 * @param {(Node | string)[]} children
 */
function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * @param {Given} given
 * @param {{url: string, body: string | undefined, maxCredits: number | undefined}} asked
 */
async function send({ method, idempotent }, { url, body, maxCredits }) {
  const key = storedKey();
  const headers = {
    ...(key ? { Authorization: `Bearer ${key}` } : {}),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotent ? { 'Idempotency-Key': randomKey() } : {}),
    ...(maxCredits === undefined ? {} : { 'X-Service-Max-Credits': String(maxCredits) }),
  };
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  return { status: response.status, text, answer: asJson(text) };
}

/** @param {string} text */
function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The price of a refused request; undefined for any other refusal.
 * @param {{status: number, answer: any}} refused
 * @returns {number | undefined}
 */
const priceOf = ({ status, answer }) =>
  status === 400 && answer?.error?.param === 'X-Service-Max-Credits' ? answer.error.details?.creditsRequired : undefined;

/**
 * The most that a request costs which is never free, such as contact look-ups: one credit for each project.
 * @param {string | undefined} body
 */
function mostOf(body) {
  const ids = asJson(body ?? '')?.projectIds;
  return Array.isArray(ids) ? ids.length : 0;
}

/** @param {number} credits */
const spendWords = (credits) => `Spend up to ${credits} credit${credits === 1 ? '' : 's'}`;

/** Shows the form of the operation, filled with its example. */
export function showTry() {
  const place = document.getElementById('try');
  if (!place) return;
  const given = /** @type {Given} */ (JSON.parse(place.dataset.request ?? '{}'));
  const url = make('input', { id: 'try-url', value: given.url, spellcheck: false, autocomplete: 'off' });
  const body = given.body === null ? undefined : make('textarea', { id: 'try-body', value: given.body, spellcheck: false });
  if (body) body.rows = Math.min(body.value.split('\n').length + 1, 16);
  const first = button(given.spends ? 'Ask for the price' : `Send ${given.method}`, 'primary');
  const state = make('p', { className: 'note' });
  state.setAttribute('role', 'status');
  const shown = make('code');
  const answer = make('pre', { className: 'answer', hidden: true, tabIndex: 0 }, shown);
  answer.setAttribute('aria-label', 'Answer');
  answer.setAttribute('role', 'group');
  const spend = make('p');
  const asked = () => ({ url: url.value, body: body?.value });

  /** @param {Awaited<ReturnType<typeof send>>} got */
  const show = ({ status, text, answer: value }) => {
    const charged = value?.meta?.creditsUsed;
    state.textContent = `${status}${charged === undefined ? '' : `, ${charged} credits charged`}`;
    const written = value === undefined ? text : JSON.stringify(value, null, 2);
    shown.textContent = written.length > SHOWN ? `${written.slice(0, SHOWN)}\n… (${written.length} characters)` : written;
    answer.hidden = false;
  };
  /** @param {number} credits */
  const offer = (credits) => {
    const { url: agreedUrl, body: agreedBody } = asked();
    const agree = button(spendWords(credits), 'primary');
    agree.addEventListener('click', () => {
      spend.replaceChildren();
      void run({ url: agreedUrl, body: agreedBody, maxCredits: credits });
    });
    spend.replaceChildren(agree);
    answer.hidden = true;
  };
  /** @param {{url: string, body: string | undefined, maxCredits: number | undefined}} request */
  const run = async (request) => {
    first.disabled = true;
    state.textContent = 'Sending …';
    try {
      const got = await send(given, request);
      const price = request.maxCredits === 0 ? priceOf(got) : undefined;
      if (price === undefined) return show(got);
      state.textContent = `It costs ${price} credit${price === 1 ? '' : 's'}. Nothing was charged yet.`;
      offer(price);
    } catch {
      // The answer to a request that may spend can be lost on its way, after the charge.
      state.textContent = `The service does not answer.${request.maxCredits ? ' Whether it charged is in GET /v1/account/ledger.' : ' Nothing was charged.'}`;
    } finally {
      first.disabled = false;
    }
  };

  first.addEventListener('click', () => {
    spend.replaceChildren();
    if (!given.alwaysCosts) return void run({ ...asked(), maxCredits: given.spends ? 0 : undefined });
    const most = mostOf(body?.value);
    state.textContent = `It takes up to ${most} credits, or as many look-ups of the plan’s allowance.`;
    offer(most);
  });
  for (const field of [url, body]) field?.addEventListener('input', () => spend.replaceChildren());
  const heading = make('h2', {}, 'Try it');
  heading.id = 'try-it';
  const note = given.spends
    ? 'Sent with your key. The price comes first: nothing is charged before you agree to it.'
    : 'Sent to this service, with your key if you gave one above.';
  place.append(
    heading,
    make('p', { className: 'note' }, note),
    make('label', { htmlFor: 'try-url' }, `${given.method}`),
    url,
    ...(body ? [make('label', { htmlFor: 'try-body' }, 'Body'), body] : []),
    make('p', {}, first),
    state,
    spend,
    answer,
  );
  place.hidden = false;
}

/** `crypto.randomUUID` is missing where a page came without TLS. */
const randomKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
