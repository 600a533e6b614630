/**
 * Records as JSON text, rendered when a project is written, so that a page is assembled without parsing records. Fields that depend on the
 * request are left open in the text and filled in when it is served; people are never in the text. Equal to what `representRecord` makes. Pure.
 */
import { hash } from 'node:crypto';
import * as vocabulary from '../vocabulary.ts';
import type { Tier } from './field.ts';
import { FIELD_NAMES, type FieldName, fieldOf } from './fields.ts';
import { PACKED_FORM, packField, packText } from './packedText.ts';
import * as lists from './publicParts.ts';
import { DERIVED_FROM } from './readings.ts';
import {
  type Delivery,
  type FetchedProject,
  makeServiceLink,
  type PublicRecord,
  representField,
  representPart,
  representWithout,
  type ViewOptions,
} from './represent.ts';
import { INCLUDED, listFieldsOfParts, listParts, REPRESENTATIONS, type Representation } from './schemas.ts';
import { listSuperseded } from './servedItem.ts';
import type { StoredProject } from './storedProject.ts';

/** The parts that are rendered. The largest is not: its texts would double the index, for few requests. */
const RENDERED = ['compact', 'standard'] as const satisfies readonly Tier[];
export type RenderedTier = (typeof RENDERED)[number];

const isRendered = (tier: Tier): tier is RenderedTier => (RENDERED as readonly Tier[]).includes(tier);

/** The parts of a representation: those that are rendered, and the others, which are fetched as they are stored. */
export function listRenderedParts(representation: Representation): { rendered: readonly RenderedTier[]; stored: readonly Tier[] } {
  const parts = listParts(representation);
  return { rendered: parts.filter(isRendered), stored: parts.filter((part) => !isRendered(part)) };
}

/** Raise it when the text of a field changes for another reason than its label: with `serve`, `publicParts.ts` or `represent.ts`. */
export const RENDERED_VERSION = 1;

/** The parts that are not rendered, each with the function that shows it. */
const STORED = REPRESENTATIONS.filter((tier) => !isRendered(tier)).map((tier) => ({ tier, represent: representPart(tier) }));

interface Part {
  fields: readonly FieldName[];
  /** fields left open in the text, in order */
  open: readonly FieldName[];
  /** stated values from which open fields, and fields of parts that are not rendered, are computed */
  kept: readonly FieldName[];
}

function partOf(tier: Tier): Part {
  const fields = listFieldsOfParts([tier]);
  const open = fields.filter((name) => fieldOf(name).perRequest);
  const family: FieldName[] = tier === 'compact' ? ['mergedFrom'] : []; // a record shows the unlocks of these records too
  const read = fields.filter((name) => (DERIVED_FROM as ReadonlySet<FieldName>).has(name) && !open.includes(name));
  return { fields, open, kept: [...open.filter((name) => fieldOf(name).stated), ...family, ...read] };
}

const PARTS: Readonly<Record<Tier, Part>> = { compact: partOf('compact'), standard: partOf('standard'), full: partOf('full') };

/** Identifies the form of the text: its version, its fields in their order, the values kept with it, and the labels. Another form is not served. */
export const RENDERED_FORM = hash(
  'sha256',
  JSON.stringify([
    RENDERED_VERSION,
    FIELD_NAMES.map((name) => {
      const { tier, labels, fallback, absent, perRequest } = fieldOf(name);
      return [name, tier, labels, fallback, absent, perRequest];
    }),
    RENDERED.map((tier) => PARTS[tier].kept),
    PACKED_FORM,
    Object.values(vocabulary).flatMap((one) => (one instanceof vocabulary.Vocabulary ? [one.terms] : [])),
  ]),
).slice(0, 12);

/** Open fields whose text holds the form that most requests need, each with the condition under which it is served. */
const USUAL: { readonly [N in FieldName]?: (project: FetchedProject, view: ViewOptions) => boolean } = {
  meetingDate: ({ hearings }) => !hearings,
  landUses: (_, { matchedOn }) => matchedOn === lists.unmatched,
};

/** A request without filters that shows no people. */
const PLAIN: ViewOptions = {
  representation: RENDERED.at(-1) ?? 'compact',
  publicUrl: '',
  meetingCap: '',
  today: '',
  matchedOn: lists.unmatched,
  companyDetails: false,
  people: { hides: () => true, unlockOf: () => null },
};

/** The line of JSON before the text of a part: byte positions of its open fields, and kept values. */
export type Head = [ends: number[], kept: Record<string, unknown>, project?: Omit<FetchedProject, Tier>];

const NEWLINE = 10;

/** Placeholder of an open field; no record states it. */
const MARK = '\u0000';

const textOf = (value: unknown) => (value === undefined ? 'null' : JSON.stringify(value));

/** The text of a part's fields, packed, and where open fields begin and end in it, in bytes before it was packed. */
function packFields({ fields, open }: Part, shown: PublicRecord): { packed: string; ends: number[] } {
  const ends: number[] = [];
  let [packed, bytes] = ['', 0];
  for (const name of fields) {
    const value = shown[name];
    if (value === undefined) continue;
    const text = value === null ? 'null' : JSON.stringify(value);
    packed += bytes ? packField(name, text) : packText(`"${name}":${text}`);
    const begin = bytes + (bytes ? 1 : 0) + name.length + 3;
    bytes = begin + Buffer.byteLength(text);
    if (open.includes(name)) ends.push(begin, bytes);
  }
  return { packed, ends };
}

/** A rendered part as it is stored: its form; then, packed, a line of JSON and the text of its fields. */
function packPart(tier: RenderedTier, stored: StoredProject, shown: PublicRecord, evidenceOnly: readonly string[]): string {
  const part = PARTS[tier];
  const stated = stored[tier] as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const name of part.kept) if (stated[name] !== undefined) kept[name] = stated[name];
  const { packed, ends } = packFields(part, shown);
  const head: Head = [ends, kept];
  if (tier === 'compact') head.push(knownWithoutText(stored, evidenceOnly));
  return packRendered(head, packed);
}

function knownWithoutText(
  { id, lastUpdated, contentRevision, hearings, locationDoubtful, servedRevisions }: StoredProject,
  evidenceOnly: readonly string[],
): NonNullable<Head[2]> {
  const supersedes = listSuperseded(contentRevision, servedRevisions);
  return {
    id,
    lastUpdated,
    contentRevision,
    ...(hearings ? { hearings } : {}),
    ...(locationDoubtful ? { locationDoubtful } : {}),
    ...(evidenceOnly.length ? { evidenceOnly } : {}),
    ...(supersedes.length ? { supersedes } : {}),
  };
}

/** A part as it is stored, as base64. */
export const packRendered = (head: Head, packed: string): string =>
  Buffer.from(`${RENDERED_FORM}${packText(JSON.stringify(head))}\n${packed}`).toString('base64');

const FORM = Buffer.from(RENDERED_FORM);

/**
 * Where the head and the text of a stored part begin; undefined if it has another form. Both are packed.
 * @param bytes hold the part, decoded, in their first `length`
 */
export function splitRendered(bytes: Buffer, length: number): { head: number; text: number } | undefined {
  if (FORM.compare(bytes, 0, Math.min(FORM.length, length)) !== 0) return undefined;
  return { head: FORM.length, text: bytes.indexOf(NEWLINE, FORM.length) + 1 };
}

const MARKED = RENDERED.flatMap((tier) => PARTS[tier].open.filter((name) => !(name in USUAL)));
const representPlainly = representWithout(MARKED, PLAIN);

/**
 * The rendered parts of a project, as base64, which is what Elasticsearch takes bytes as.
 * @param evidenceOnly attributes with evidence and without a current value
 */
export function renderProject(stored: StoredProject, evidenceOnly: readonly string[]): Record<RenderedTier, string> {
  const shown = representPlainly(stored);
  for (const name of MARKED) shown[name] = MARK;
  return { compact: packPart('compact', stored, shown, evidenceOnly), standard: packPart('standard', stored, shown, evidenceOnly) };
}

/** A range of UTF-8 text in a buffer. */
export interface TextBytes {
  bytes: Buffer;
  from: number;
  to: number;
}

/** A part as it is read from the index: unpacked, without its form. */
export interface RenderedText extends TextBytes {
  head: Head;
}

const LINK = 'serviceLink';

/** A part with what separates it from others, and with its link; and where its open fields then begin and end. */
function withLink({ tier, text, ends }: ReadPart, link: string): { pieces: Piece[]; ends: readonly number[] } {
  const pieces: Piece[] = [tier === 'compact' ? '{' : ','];
  const at = 2 * PARTS[tier].open.indexOf(LINK);
  const [begin = 0, end = 0] = at < 0 ? [] : ends.slice(at);
  if (typeof text === 'string' || at < 0) return { pieces: [...pieces, text], ends: ends.map((one) => one + 1) };
  pieces.push({ ...text, to: text.from + begin }, link, { ...text, from: text.from + end });
  const longer = lengthOf(link) - (end - begin);
  return { pieces, ends: ends.map((one) => one + 1 + (one < end ? 0 : longer)) };
}

interface ReadPart {
  tier: Tier;
  text: Piece;
  ends: readonly number[];
}

export class RenderedProject {
  /** what is known without reading the text */
  readonly project: FetchedProject;
  readonly #parts: ReadPart[];
  /** with which its link stands in the text, and what separates parts before each of them */
  readonly #publicUrl: string | undefined;

  private constructor(project: FetchedProject, parts: ReadPart[], publicUrl?: string) {
    this.project = project;
    this.#parts = parts;
    this.#publicUrl = publicUrl;
  }

  /**
   * @param tiers compact first
   * @param textOf the part of a tier, undefined or null if it is missing
   * @returns undefined if one is missing
   */
  static read(
    tiers: readonly RenderedTier[],
    textOf: (tier: RenderedTier) => RenderedText | null | undefined,
  ): RenderedProject | undefined {
    const read: ReadPart[] = [];
    let project: FetchedProject | undefined;
    for (const tier of tiers) {
      const text = textOf(tier);
      if (!text) return undefined;
      const { head, bytes, from, to } = text;
      const [ends, kept, known] = head;
      if (known) project = { evidenceOnly: [], ...known, compact: { ...kept, id: known.id } };
      else if (project && tier !== 'compact') project[tier] = kept;
      read.push({ tier, text: { bytes, from, to }, ends });
    }
    return project && new RenderedProject(project, read);
  }

  /** Adds the parts that are stored, of which nothing depends on the request. */
  addStored(stored: Partial<FetchedProject>): void {
    Object.assign(this.project, stored);
    for (const { tier, represent } of STORED)
      this.#parts.push({ tier, text: JSON.stringify(represent(this.project, PLAIN)).slice(1, -1), ends: [] });
  }

  has(tiers: readonly Tier[]): boolean {
    return tiers.every((tier) => this.#parts.some((part) => part.tier === tier));
  }

  /** The same record with its text elsewhere, and without values that no answer needs beside it. @param take makes room for so many bytes */
  copyTo(take: (length: number) => Omit<TextBytes, 'to'>, publicUrl: string): RenderedProject {
    const project = { ...this.project };
    for (const { tier } of STORED) {
      const stored = project[tier] as Record<string, unknown> | undefined;
      if (stored) Object.assign(project, { [tier]: Object.fromEntries(PARTS[tier].kept.map((name) => [name, stored[name]])) });
    }
    const isCopied = this.#publicUrl !== undefined;
    const parts = this.#parts.map((part) => {
      const { pieces, ends } = isCopied
        ? { pieces: [part.text], ends: part.ends }
        : withLink(part, textOf(makeServiceLink(project.id, publicUrl)));
      const { bytes, from } = take(lengthOf(...pieces));
      let to = from;
      for (const piece of pieces) to += writePiece(piece, bytes, to);
      return { tier: part.tier, text: { bytes, from, to }, ends };
    });
    return new RenderedProject(project, parts, publicUrl);
  }

  /** The record as an answer shows it, without `delivery`. */
  show(view: ViewOptions): RecordText {
    const wanted = listParts(view.representation);
    const pieces: Piece[] = [];
    let before: Piece = '{';
    let deliveryAt = -1;
    for (const { tier, text, ends } of this.#parts) {
      if (!wanted.includes(tier)) continue;
      if (this.#publicUrl === undefined) pieces.push(before);
      before = ',';
      let rest = text;
      if (typeof text !== 'string')
        for (const [i, name] of PARTS[tier].open.entries()) {
          if (USUAL[name]?.(this.project, view) || (name === LINK && this.#publicUrl === view.publicUrl)) continue;
          const { bytes, from } = rest as TextBytes;
          pieces.push({ bytes, from, to: text.from + (ends[2 * i] ?? 0) });
          if (name === 'delivery') deliveryAt = pieces.push('null') - 1;
          else pieces.push(textOf(representField(name, this.project, view)));
          rest = { ...text, from: text.from + (ends[2 * i + 1] ?? 0) };
        }
      pieces.push(rest);
    }
    if (view.withDerived) for (const name of INCLUDED) pieces.push(`,"${name}":${textOf(representField(name, this.project, view))}`);
    pieces.push('}');
    return new RecordText(pieces, deliveryAt, this.project.locationDoubtful);
  }
}

export type Piece = TextBytes | string;

/** Records of a page are often delivered alike. */
let lastDelivery: { of: Delivery; text: string } | undefined;

/** A record as JSON text that is ready to be sent. `JSON.stringify` parses it, for callers that need the record. */
export class RecordText {
  readonly pieces: Piece[];
  /** true if its point is not to be drawn */
  readonly locationDoubtful: boolean;
  readonly #deliveryAt: number;

  constructor(pieces: Piece[], deliveryAt: number, locationDoubtful = false) {
    this.pieces = pieces;
    this.#deliveryAt = deliveryAt;
    this.locationDoubtful = locationDoubtful;
  }

  deliver(delivery: Delivery): this {
    if (lastDelivery?.of !== delivery) lastDelivery = { of: delivery, text: JSON.stringify(delivery) };
    this.pieces[this.#deliveryAt] = lastDelivery.text;
    return this;
  }

  /** Adds a field of an answer that shows the record with something of its own. */
  addField(name: string, value: unknown): this {
    this.pieces.splice(-1, 1, `,${JSON.stringify(name)}:${textOf(value)}}`);
    return this;
  }

  /** A number of the record, without parsing it; null if none is stated. @param name of a field that no text before it names inside */
  readNumber(name: 'id' | 'latitude' | 'longitude'): number | null {
    for (const piece of this.pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece.bytes.subarray(piece.from, piece.to);
      const at = bytes.indexOf(`"${name}":`);
      if (at < 0) continue;
      const [text = ''] = /^[-+.\deE]*/.exec(bytes.toString('latin1', at + name.length + 3, at + name.length + 35)) ?? [];
      return text === '' ? null : Number(text);
    }
    return null;
  }

  toJSON(): PublicRecord {
    return JSON.parse(joinPieces(this.pieces).toString()) as PublicRecord;
  }
}

/** A record of an answer: an object, or its text if no field has to be read. */
export type ServedRecord = PublicRecord | RecordText;

function lengthOf(...pieces: readonly Piece[]): number {
  let length = 0;
  for (const piece of pieces) length += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.to - piece.from;
  return length;
}

/** @returns how many bytes were written */
const writePiece = (piece: Piece, target: Buffer, at: number) =>
  typeof piece === 'string' ? target.write(piece, at) : piece.bytes.copy(target, at, piece.from, piece.to);

/** Joins pieces of UTF-8. @param take makes a buffer of so many bytes */
export function joinPieces(pieces: readonly Piece[], take: (length: number) => Buffer = Buffer.allocUnsafe): Buffer {
  const merged: Piece[] = [];
  let [length, run] = [0, ''];
  for (const piece of [...pieces, NO_BYTES]) {
    if (typeof piece === 'string') {
      run += piece;
      continue;
    }
    if (run) length += lengthOf(run);
    length += lengthOf(piece);
    merged.push(run, piece);
    run = '';
  }
  const bytes = take(length);
  let at = 0;
  for (const piece of merged) if (piece !== '') at += writePiece(piece, bytes, at);
  return bytes;
}

const NO_BYTES: TextBytes = { bytes: Buffer.alloc(0), from: 0, to: 0 };
