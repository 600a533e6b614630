/** Projects: search, count, read, evidence, changes. */
import { MeetingDocumentStore } from '../../core/store/elastic/documents.ts';
import { exportServices } from '../exports/index.ts';
import type { Feature, Platform } from '../feature.ts';
import { QuoteReader } from './quoteReader.ts';
import { projectRoutes } from './routes.ts';

export { findProject, readProject } from './read.ts';
export { findProvenQuotes, type QuoteServices } from './readEvidence.ts';

function quoteReaderOf({ onClose }: Platform): QuoteReader {
  const reader = new QuoteReader();
  onClose(() => reader.close());
  return reader;
}

export const quoteServices = ({ elastic, names, timeoutMs, once }: Platform) => ({
  documents: new MeetingDocumentStore(elastic, names, timeoutMs),
  quoteReader: once(quoteReaderOf),
});

export const projects: Feature = {
  routes: ({ once }) => projectRoutes({ ...once(exportServices), ...once(quoteServices) }),
};
