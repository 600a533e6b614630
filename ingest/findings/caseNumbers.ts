/** Finds case numbers that several records of one body state. Three numbers are kept for each case number. */
import { hash } from 'node:crypto';
import { foldName } from '../../src/core/domain/placeNames.ts';
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { normalizeReferenceNumber } from '../../src/core/domain/referenceNumbers.ts';
import type { FaultTally } from './faults.ts';
import { type FiguredPlace, parsePlaceKey, placeKey } from './placeFigures.ts';

/** Hexadecimal digits that a JavaScript number holds exactly; two case numbers of some millions may, very rarely, share a hash. */
const HEX_DIGITS = 13;
const OTHERS_NAMED = 8;

export class CaseNumbers {
  readonly #hashes: number[] = [];
  readonly #ids: number[] = [];
  /** index in `#places` */
  readonly #placeOf: number[] = [];
  readonly #places: string[] = [];
  readonly #placeIndex = new Map<string, number>();

  add({ id, stateId, countyId, city, decisionBody, caseNumbers }: ProjectStatement): void {
    if (!stateId || !caseNumbers?.length) return;
    const place = this.#indexOf({ stateId, countyId: countyId ?? null, decisionBody: decisionBody ?? null });
    for (const number of new Set(caseNumbers.map(normalizeReferenceNumber))) {
      if (!number) continue;
      const text = `${this.#places[place]}|${city ? foldName(city) : ''}|${number}`;
      this.#hashes.push(Number.parseInt(hash('sha1', text).slice(0, HEX_DIGITS), 16));
      this.#ids.push(id);
      this.#placeOf.push(place);
    }
  }

  #indexOf(place: FiguredPlace): number {
    const key = placeKey(place);
    const known = this.#placeIndex.get(key);
    if (known !== undefined) return known;
    this.#placeIndex.set(key, this.#places.length);
    return this.#places.push(key) - 1;
  }

  /** Adds each record that shares a case number with another one, once. */
  reportRepeated(faults: FaultTally): void {
    const sorted = Float64Array.from(this.#hashes).sort();
    const repeated = new Map<number, Set<number>>();
    for (let i = 1; i < sorted.length; i += 1) if (sorted[i] === sorted[i - 1]) repeated.set(sorted[i] as number, new Set());
    if (!repeated.size) return;
    const placeOfId = new Map<number, number>();
    for (const [i, number] of this.#hashes.entries()) {
      const ids = repeated.get(number);
      const id = this.#ids[i] as number;
      if (!ids) continue;
      ids.add(id);
      placeOfId.set(id, this.#placeOf[i] as number);
    }
    const others = new Map([...repeated.values()].flatMap((ids) => [...ids].map((id) => [id, ids] as const)));
    for (const [id, place] of placeOfId) {
      const listOthers = () => [...(others.get(id) ?? [])].slice(0, OTHERS_NAMED + 1).filter((other) => other !== id);
      const words = () => `with ${listOthers().slice(0, OTHERS_NAMED).join(', ')}`;
      faults.addFault(parsePlaceKey(this.#places[place] as string), id, 'same_case', 'caseNumbers', words);
    }
  }
}
