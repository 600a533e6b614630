/** What a metric is, declared once by core or by a feature: Prometheus, the guide and the question to Postgres follow from it. Pure. */

export interface MetricDeclaration<L extends string = string> {
  kind: 'counter' | 'gauge' | 'histogram';
  /** `landuse_…`, by the conventions of Prometheus */
  name: string;
  /** what it says, in the guide and for Prometheus */
  help: string;
  /** They take few values, all of our own making: never an id, a path, a text or a person. */
  labels: readonly L[];
  /** upper bounds of a histogram */
  buckets?: readonly number[];
  /** of a gauge that Postgres knows: a query whose rows have a column for each label, and `value` */
  sql?: string;
}

/** Adds to a counter, sets a gauge, or observes with a histogram. */
export type Measure = <L extends string>(metric: MetricDeclaration<L>, labels: Readonly<Record<L, string>>, value: number) => void;
