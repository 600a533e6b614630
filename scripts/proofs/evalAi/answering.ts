/** What answers the questions of the evaluation: a search in memory, or the service. */
interface FoundAnswer {
  id: number;
  evidence: readonly { criterion: string; quote: string }[];
}

export interface AskedQuestion {
  /** best first */
  answers: readonly FoundAnswer[];
  seconds: number;
  quotes: number;
  /** quotes that are in their source, letter by letter */
  verbatim: number;
  /** records without a quote */
  unproven: number;
  /** why a search ended before it was through */
  ended: string | null;
  /** records that were judged */
  reviewed: number | null;
}

export interface QuestionAnswerer {
  confirmed(query: string, limit: number): Promise<AskedQuestion>;
  /** plain BM25 over the words of the question */
  plain(query: string, limit: number): Promise<number[]>;
  close(): Promise<void>;
}
