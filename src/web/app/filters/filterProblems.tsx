/** The problems of filters reported by the service, with suggested values. */
import { listText, rowOf, valuesOf } from './filterRows.ts';
import type { FilterProblem, FilterUse } from './useFilters.ts';

export function FilterProblems({ use: { catalogue, filters, problems, onChange } }: { use: FilterUse }) {
  if (!problems.length) return null;
  const put = ({ name, value }: FilterProblem, instead: string) => {
    // Replaces an unknown filter by a suggested one with the same value.
    if (!rowOf(catalogue, name)) return onChange({ [name]: null, [instead]: filters[name] ?? null });
    const values = valuesOf(filters[name]);
    const isOfList = value !== undefined && values.length > 1;
    return onChange({ [name]: isOfList ? listText(values.map((one) => (one === value ? instead : one))) : instead });
  };
  return (
    <ul class="filter-problems" aria-label="What is wrong with the filters">
      {problems.map((problem) => (
        <li key={problem.message}>
          <strong>{rowOf(catalogue, problem.name)?.label ?? problem.name}</strong>: {problem.message}{' '}
          {problem.instead.map(({ value, label }) => (
            <button type="button" class="small" key={value} onClick={() => put(problem, value)}>
              Use {label}
            </button>
          ))}
          <button type="button" class="small" onClick={() => onChange({ [problem.name]: null })}>
            Remove it
          </button>
        </li>
      ))}
    </ul>
  );
}
