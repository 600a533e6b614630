/**
 * Prints, as JSON, every expression that modules build by `new RegExp`, with the place of the call.
 * Usage: node builtExpressions.ts FILE…, each from the root of the repository.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Expression } from './expressions.ts';
import { root } from './sources.ts';

const built: Expression[] = [];
const CALLER = /file:\/\/(\/[^()\s]+?):(\d+):\d+\)?$/;

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args, newTarget) {
    const made = Reflect.construct(target, args, newTarget) as RegExp;
    const [, file = '', line = '0'] = CALLER.exec(new Error('').stack?.split('\n')[2] ?? '') ?? [];
    built.push({ source: made.source, flags: made.flags, at: `${path.relative(root, decodeURI(file))}:${line}` });
    return made;
  },
});

for (const file of process.argv.slice(2)) await import(pathToFileURL(path.join(root, file)).href);

// Functions that build their expression of what they are given.
const { makeCaseFinder } = await import('../../src/core/domain/cases/caseNames.ts');
makeCaseFinder({
  numbers: ['RZ-2026-6103', '13SN0146', 'Sign Variance 1153', '2019-175', 'C 160365 ZMX', 'ZA11-047', '1 5 1 5 1 5 1 5 1 5 1 5 1 5'],
  parcels: ['0123-45-678900-00', '15-1-0-S5', 'Map 5 Lot 10'],
  addresses: [],
  titles: [],
});
const { makePathTemplates } = await import('../../src/http/requestLog.ts');
makePathTemplates({ findTemplate: () => undefined } as never, { '/v1': [{ path: '/projects/{id}/evidence.json' }] } as never);
const { methodOf } = await import('../../src/web/pythonNames.ts');
methodOf({ operationId: 'searchProjects', tags: ['Projects'] });
const { idPattern } = await import('../../src/core/domain/ids.ts');
idPattern('exp');

// What a pipe has not taken yet would be lost by an exit right away.
process.stdout.write(JSON.stringify(built), () => process.exit(0));
