/** Finds contacts: by the loaded directory, or by a provider over HTTP. */
import type { FinderAnswer, LookUp } from '../../core/people/enrichment.ts';
import { ProviderUnavailable } from '../../core/providers/providerCalls.ts';

export interface ContactFinder {
  /** the `source` of each channel that it finds */
  source: 'directory' | 'provider';
  /** @throws FinderUnavailable */
  find(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer>;
}

/** The finder did not answer, or not as agreed. The message is logged, so it must not name people. */
export class FinderUnavailable extends ProviderUnavailable {}

/** The finder's answer about one project was malformed; those about others may be usable. */
export class MalformedFinderAnswer extends FinderUnavailable {}
