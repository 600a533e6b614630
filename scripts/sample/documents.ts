/** Minutes of made-up meetings: one document for each body and day of a docket, with the passages of all its cases. */
import texts from './data/texts.json' with { type: 'json' };
import { dateOf, longDate } from './days.ts';
import { slugOf } from './inventedPeople.ts';
import type { SampleCity, SampleCorpus, SampleDocument, SampleDocumentLine } from './model.ts';
import { Random } from './random.ts';
import { bodyName } from './texts.ts';

/** The documents of one docket. Ids come from the counter, so that both generations number them alike. */
export class Minutebook {
  readonly #documents = new Map<string, SampleDocument>();
  readonly #city: SampleCity;
  readonly #nextId: () => number;

  constructor(city: SampleCity, nextId: () => number) {
    this.#city = city;
    this.#nextId = nextId;
  }

  /** The document of a meeting, made when it is first asked for. */
  documentOf(body: string, day: number): SampleDocument {
    const key = `${body} ${day}`;
    const found = this.#documents.get(key);
    if (found) return found;
    const id = this.#nextId();
    const title = `${this.#city.name} ${bodyName(body)}: Minutes of ${longDate(day)} (made-up)`;
    const path = `${this.#city.state.toLowerCase()}/${slugOf(this.#city.name)}/${dateOf(day)}-${slugOf(body)}-${id}`;
    const made = { id, day, body, title, url: `https://minutes.example.org/${path}`, items: [] };
    this.#documents.set(key, made);
    return made;
  }
}

/** The document's line; its text says that it is made up and mentions every case heard. */
export function documentLine(document: SampleDocument, city: SampleCity, corpus: SampleCorpus): SampleDocumentLine {
  const random = new Random(corpus.seed, 'minutes', document.id);
  const items = document.items.map((item, i) => `Item ${i + 1}.\n${item}`);
  const long = corpus.texts === 'long';
  const paragraphs = [
    texts.disclaimer,
    document.title,
    ...(long ? [random.pick(texts.roll)] : []),
    ...items,
    ...(long ? [random.pick(texts.close)] : []),
  ];
  return {
    kind: 'document',
    id: document.id,
    state: city.state,
    county: city.county,
    city: city.name,
    decisionBody: document.body,
    meetingDate: dateOf(document.day),
    title: document.title,
    url: document.url,
    text: paragraphs.join('\n\n'),
  };
}
