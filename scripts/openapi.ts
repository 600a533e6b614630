import { writeExamples } from './openapi/examples.ts';
import { makeDocument, writeSnapshot } from './openapi/snapshot.ts';

// npm run openapi                          writes test/contract/openapi.json again; refused while a change breaks clients and the changelog does not name it
// npm run openapi -- --examples            before that, runs the tests of the contract and takes the examples of all answers from them
// npm run openapi -- --examples FILE …     the same with these tests alone, for examples that are missing or no longer fit

try {
  const [option, ...files] = process.argv.slice(2);
  if (option === '--examples') await writeExamples(await makeDocument(), files);
  else if (option !== undefined) throw new Error('The only option is --examples, with the test files to record');
  const { breaking, additive } = await writeSnapshot();
  console.log([...breaking.map((change) => `breaks: ${change}`), ...additive].join('\n') || 'Nothing that a client would notice.');
} catch (error) {
  console.error((error as Error).message);
  process.exit(1); // clients that were made for the document are still open
}
