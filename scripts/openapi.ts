import { writeSnapshot } from './openapi/snapshot.ts';

// npm run openapi    writes test/contract/openapi.json again; refused while a change breaks clients and the changelog does not name it

try {
  const { breaking, additive } = await writeSnapshot();
  console.log([...breaking.map((change) => `breaks: ${change}`), ...additive].join('\n') || 'Nothing that a client would notice.');
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
