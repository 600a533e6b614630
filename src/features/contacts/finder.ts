/** What looks contacts up: the loaded directory, or a provider over HTTP. */
import type { FinderAnswer, LookUp } from '../../core/people/enrichment.ts';
import { ProviderUnavailable } from '../../core/providers/providerCalls.ts';

export interface ContactFinder {
  /** said of each channel that it finds */
  source: 'directory' | 'provider';
  /** @throws FinderUnavailable */
  find(lookUp: LookUp, signal: AbortSignal): Promise<FinderAnswer>;
}

/** The finder does not answer, or not as agreed. The message names nobody: it is logged. */
export class FinderUnavailable extends ProviderUnavailable {}

/** What it answers of one project makes no sense; of others it may. */
export class FinderNonsense extends FinderUnavailable {}
