/** Generates the methods of the Python client by resource, each synchronous and asynchronous. */

import { argumentOf, methodOf, resourceOf } from '../../src/web/pythonNames.ts';
import { createsSomething, type DescribedOperation, type Parameter, pascal } from './clientTypes.ts';
import { docstring, indent } from './pythonTypes.ts';

export type NamedParameter = Parameter & { ref?: string };

export interface ServedOperation extends DescribedOperation {
  method: string;
  path: string;
}

/** An operation as a Python method. */
export interface PythonMethod {
  operation: ServedOperation;
  /** values of the path with their types */
  places: readonly { name: string; type: string }[];
  /** type of its keyword arguments; undefined if it takes none */
  input: string | undefined;
  answer: string;
  /** type of one item, if the answer is a page of a list */
  item: string | undefined;
  idempotent: boolean;
}

function route({ operation, idempotent }: PythonMethod): string {
  const flags = [idempotent, createsSomething(operation), operation.requestBody !== undefined].map((flag) => (flag ? 'True' : 'False'));
  return `    "${operation.operationId}": Route("${operation.method.toUpperCase()}", "${operation.path}", ${flags.join(', ')}),`;
}

export const routesText = (methods: readonly PythonMethod[]): string => `ROUTES: dict[str, Route] = {\n${methods.map(route).join('\n')}\n}`;

function parametersOf({ places, input, idempotent }: PythonMethod): string {
  return [
    'self',
    ...places.map(({ name, type }) => `${argumentOf(name)}: ${type}`),
    ...(places.length ? ['/'] : []),
    '*',
    'max_credits: int | None = None',
    ...(idempotent ? ['idempotency_key: str | None = None'] : []),
    'request_id: str | None = None',
    ...(input ? [`**values: Unpack[${input}]`] : []),
  ].join(', ');
}

/** A method; if it answers a page of a list, also a method that iterates over all pages. */
function methodText(method: PythonMethod, asynchronous: boolean): string {
  const { operation, places, input, answer, item, idempotent } = method;
  const [define, wait, iterator] = asynchronous ? ['async def', 'await ', 'AsyncIterator'] : ['def', '', 'Iterator'];
  const at = `{${places.map(({ name }) => `"${name}": ${argumentOf(name)}`).join(', ')}}`;
  const options = `Options(max_credits, ${idempotent ? 'idempotency_key' : 'None'}, request_id)`;
  const sent = `"${operation.operationId}", ${at}, ${input ? 'dict(values)' : '{}'}, ${options}`;
  const asked = answer === 'bytes' ? `${wait}self._read(${sent})` : `cast("${answer}", ${wait}self._ask(${sent}))`;
  const [name, words] = [methodOf(operation), parametersOf(method)];
  const one = `${define} ${name}(${words}) -> ${answer}:\n${indent(`${docstring(operation.summary)}return ${asked}`)}`;
  if (!item) return one;
  const summary = docstring(`${operation.summary}: one by one, page after page; \`limit\` is the size of a page.`);
  const loop = `return cast("${iterator}[${item}]", self._iterate(${sent}))`;
  return `${one}\n\ndef ${name.replace(/^(list|get)/, 'iterate')}(${words}) -> ${iterator}[${item}]:\n${indent(summary + loop)}`;
}

/** A class for each resource, and one with all of them as attributes. */
export function resourcesText(methods: readonly PythonMethod[], asynchronous: boolean): string {
  const prefix = asynchronous ? 'Async' : '';
  const names = [...new Set(methods.map(({ operation }) => resourceOf(operation)))];
  const classOf = (resource: string) => `${prefix}${resource.split('_').map(pascal).join('')}Resource`;
  const classes = names.map((resource) => {
    const own = methods.filter(({ operation }) => resourceOf(operation) === resource);
    return `class ${classOf(resource)}(${prefix}Resource):\n${indent(own.map((one) => methodText(one, asynchronous)).join('\n\n'))}`;
  });
  const made = names.map((resource) => `self.${resource} = ${classOf(resource)}(requester)`).join('\n');
  const init = `def __init__(self, requester: ${prefix}Requester) -> None:\n${indent(made)}`;
  return [...classes, `class ${prefix}Resources:\n    """Every operation of the service, by resource."""\n\n${indent(init)}`].join(
    '\n\n\n',
  );
}
