/** Loads a file of reviews: lines of kind `review` without a header, as `npm run extract -- review` writes them. */
import { LoadRefused } from './loadRefused.ts';
import { openLines, UnreadableFile } from './read/openLines.ts';
import { parseLine, type ReviewLine } from './read/parseLine.ts';
import { GenerationStore } from './write/generationSets.ts';
import type { LoadContext } from './write/loadContext.ts';
import { storeReviews } from './write/storeReviews.ts';

export interface ReviewSummary {
  file: string;
  /** the served one */
  generation: number;
  reviews: number;
  /** of records that are not served, or of fields that no record has */
  leftOut: number;
}

const PROBLEMS_SHOWN = 20;

/** Whether the first line of a file is a review. */
export async function isReviewFile(file: string): Promise<boolean> {
  const source = await openLines(file).catch(() => undefined);
  if (!source) return false;
  try {
    const { value } = await source.lines.next();
    return /^\s*\{[^{}]*"kind"\s*:\s*"review"/.test(value?.text ?? '');
  } finally {
    await source.close();
  }
}

/** Stores the reviews of a file with the served generation. Loading it again changes nothing. @throws LoadRefused if any line is bad, or nothing is served */
export async function loadReviews(
  context: Pick<LoadContext, 'client' | 'names' | 'layout' | 'lineage'>,
  file: string,
): Promise<ReviewSummary> {
  const { client, names, layout } = context;
  const { served } = await new GenerationStore(client, names, layout).read();
  if (!served) throw new LoadRefused(`${file}: nothing is served yet; load and activate the generation that was reviewed first`);
  const reviews = await readReviews(file);
  const stored = await storeReviews(context, names.readAlias('projects'), { header: served, reviews });
  return { file, generation: served.generation, reviews: stored, leftOut: reviews.length - stored };
}

async function readReviews(file: string): Promise<ReviewLine[]> {
  const source = await openLines(file).catch((error: Error) => {
    throw error instanceof UnreadableFile ? new LoadRefused(error.message) : error;
  });
  const reviews: ReviewLine[] = [];
  const problems: string[] = [];
  try {
    for await (const { number, text, problem } of source.lines) {
      if (text?.trim() === '') continue;
      const parsed = text === undefined ? undefined : parseLine(text);
      if (parsed && 'line' in parsed && parsed.line.kind === 'review') reviews.push(parsed.line);
      else
        problems.push(
          `${file}:${number}: ${problem ?? (parsed && 'problems' in parsed ? parsed.problems.map(({ reason }) => reason).join('; ') : 'not a review')}`,
        );
    }
  } finally {
    await source.close();
  }
  if (problems.length)
    throw new LoadRefused(`${file}: ${problems.length} lines are no reviews, nothing was loaded`, problems.slice(0, PROBLEMS_SHOWN));
  return reviews;
}
