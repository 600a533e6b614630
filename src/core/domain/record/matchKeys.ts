/** What a record is found by when rows of a client's list are matched with records. Pure. */
import { normalizeReferenceNumber } from '../referenceNumbers.ts';
import { listAddressKeys, readStreetAddresses, writeAddressText } from '../streetAddress.ts';

/** As Elasticsearch holds it under `derived.match`. */
interface MatchKeys {
  /** parcel and case numbers as they are compared */
  parcelNumbers: string[];
  caseNumbers: string[];
  /** house numbers with their streets (`listAddressKeys`), by which addresses are looked up */
  addressKeys: string[];
  /** the addresses whole (`writeAddressText`) */
  addresses: string[];
}

interface Identified {
  parcelNumbers: readonly string[];
  caseNumbers: readonly string[];
  addresses: readonly string[];
  city: string | null | undefined;
}

const distinct = (values: readonly string[]) => [...new Set(values.filter(Boolean))];

/** @param identified texts as a record states them */
export function matchKeys({ parcelNumbers, caseNumbers, addresses, city }: Identified): MatchKeys {
  const parsed = addresses.flatMap((text) => readStreetAddresses(text, city ? [city] : []));
  return {
    parcelNumbers: distinct(parcelNumbers.map(normalizeReferenceNumber)),
    caseNumbers: distinct(caseNumbers.map(normalizeReferenceNumber)),
    addressKeys: distinct(parsed.flatMap(listAddressKeys)),
    addresses: distinct(parsed.map(writeAddressText)),
  };
}
