/** The metrics of a process in Prometheus' client, made from their declarations. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Measure, MetricDeclaration } from '../../core/domain/metric.ts';

export class MetricValues {
  readonly registry = new Registry();
  readonly #made = new Map<string, Counter | Gauge | Histogram>();

  /** Registers a metric, which is then shown even before it has a value. */
  add(metric: MetricDeclaration): Counter | Gauge | Histogram {
    const known = this.#made.get(metric.name);
    if (known) return known;
    const { kind, name, help, labels, buckets } = metric;
    const settings = { name, help, labelNames: [...labels], registers: [this.registry] };
    const made =
      kind === 'counter'
        ? new Counter(settings)
        : kind === 'gauge'
          ? new Gauge(settings)
          : new Histogram({ ...settings, ...(buckets ? { buckets: [...buckets] } : {}) });
    this.#made.set(name, made);
    return made;
  }

  readonly measure: Measure = (metric, labels, value) => {
    const made = this.add(metric);
    if (made instanceof Counter) made.inc(labels, value);
    else if (made instanceof Gauge) made.set(labels, value);
    else made.observe(labels, value);
  };

  /** Removes values, since an unknown value must be absent rather than 0. @param labels limits this to one value */
  clear(metrics: readonly MetricDeclaration[], labels?: Readonly<Record<string, string>>): void {
    for (const metric of metrics) {
      const made = this.add(metric);
      if (!labels) made.reset();
      made.remove(labels ?? {});
    }
  }
}
