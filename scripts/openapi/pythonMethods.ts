/** Generates the methods of the Python client by resource, in their asynchronous form. */

import { argumentOf, methodOf, resourceOf } from '../../src/web/pythonNames.ts';
import { type Parameter, pascal, type ServedOperation } from './clientTypes.ts';
import { docstring, indent } from './pythonTypes.ts';

export type NamedParameter = Parameter & { ref?: string };

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
  const flags = [idempotent, operation.requestBody !== undefined].map((flag) => (flag ? 'True' : 'False'));
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
function methodText(method: PythonMethod): string {
  const { operation, places, input, answer, item, idempotent } = method;
  const at = `{${places.map(({ name }) => `"${name}": ${argumentOf(name)}`).join(', ')}}`;
  const options = `Options(max_credits, ${idempotent ? 'idempotency_key' : 'None'}, request_id)`;
  const sent = `"${operation.operationId}", ${at}, ${input ? 'dict(values)' : '{}'}, ${options}`;
  const asked = answer === 'bytes' ? `await self._read(${sent})` : `cast("${answer}", await self._ask(${sent}))`;
  const [name, words] = [methodOf(operation), parametersOf(method)];
  const one = `async def ${name}(${words}) -> ${answer}:\n${indent(`${docstring(operation.summary)}return ${asked}`)}`;
  if (!item) return one;
  const summary = docstring(`${operation.summary}: one by one, page after page; \`limit\` is the size of a page.`);
  const loop = `return cast("AsyncIterator[${item}]", self._iterate(${sent}))`;
  return `${one}\n\ndef ${name.replace(/^(list|get)/, 'iterate')}(${words}) -> AsyncIterator[${item}]:\n${indent(summary + loop)}`;
}

const BASE = `class AsyncResource:
    """Operations of one kind."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._ask = transport.ask
        self._read = transport.read
        self._iterate = transport.iterate`;

/** A class for each resource, and one with all of them as attributes. */
export function resourcesText(methods: readonly PythonMethod[]): string {
  const names = [...new Set(methods.map(({ operation }) => resourceOf(operation)))];
  const classOf = (resource: string) => `Async${resource.split('_').map(pascal).join('')}Resource`;
  const classes = names.map((resource) => {
    const own = methods.filter(({ operation }) => resourceOf(operation) === resource);
    return `class ${classOf(resource)}(AsyncResource):\n${indent(own.map(methodText).join('\n\n'))}`;
  });
  const made = names.map((resource) => `self.${resource} = ${classOf(resource)}(transport)`).join('\n');
  const init = `def __init__(self, transport: AsyncTransport) -> None:\n${indent(made)}`;
  return [BASE, ...classes, `class AsyncResources:\n    """Every operation of the service, by resource."""\n\n${indent(init)}`].join(
    '\n\n\n',
  );
}
