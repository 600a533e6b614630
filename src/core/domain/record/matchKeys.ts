/** What a record is found by when rows of a client's list are matched with records. Pure. */
import { normalizeReferenceNumber } from '../referenceNumbers.ts';
import { listAddressKeys, listStreetKeys, listZipCodes, readStreetAddresses, writeAddressText } from '../streetAddress.ts';

/** As Elasticsearch holds it under `derived.match`. */
interface MatchKeys {
  /** parcel and case numbers as they are compared */
  parcelNumbers: string[];
  caseNumbers: string[];
  /** house numbers with their streets (`listAddressKeys`), by which addresses are looked up, and the streets alone (`listStreetKeys`) */
  addressKeys: string[];
  /** the addresses whole (`writeAddressText`), and the first five digits of their ZIP codes */
  addresses: string[];
}

interface Identified {
  parcelNumbers: readonly string[];
  caseNumbers: readonly string[];
  addresses: readonly string[];
  zipCodes: readonly string[];
  city: string | null | undefined;
  stateId: number | null | undefined;
  countyId: number | null | undefined;
}

const distinct = (values: readonly string[]) => [...new Set(values.filter(Boolean))];

/** @param identified texts as a record states them */
export function matchKeys({ parcelNumbers, caseNumbers, addresses, zipCodes, city, stateId, countyId }: Identified): MatchKeys {
  const where = { stateIds: stateId ? [stateId] : [], countyIds: countyId ? [countyId] : [] };
  const parsed = addresses.flatMap((text) => readStreetAddresses(text, city ? [city] : [], where));
  return {
    parcelNumbers: distinct(parcelNumbers.map(normalizeReferenceNumber)),
    caseNumbers: distinct(caseNumbers.map(normalizeReferenceNumber)),
    addressKeys: distinct(parsed.flatMap((address) => [...listAddressKeys(address), ...listStreetKeys(address)])),
    addresses: distinct([...parsed.map(writeAddressText), ...addresses.flatMap(listZipCodes), ...zipCodes.map((zip) => zip.slice(0, 5))]),
  };
}
