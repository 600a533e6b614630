/** A process of `npm test`: runs each test file that it is handed, and reports it; ends by itself when its parent lets go of it. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import Mocha from 'mocha';
import { noteFailure } from './kept.ts';
import type { FileResult } from './lanes.ts';
import { countsOf, endIfLeaking, FileReporter, failuresText, printedBy } from './reporter.ts';

const { mocha: settings } = JSON.parse(readFileSync('package.json', 'utf8')) as { mocha: Mocha.MochaOptions };

async function runFile(file: string): Promise<FileResult> {
  const mocha = new Mocha({ ...settings, reporter: FileReporter });
  mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
    flushCompileCache(); // for the processes that the file starts
  } catch (error) {
    const problem = error instanceof Error ? `${error.stack}` : String(error);
    return { counts: { passed: 0, failed: 1, skipped: 0 }, output: '', failures: `  ${file} cannot be loaded: ${problem}` };
  }
  const failed: Mocha.Test[] = [];
  const { result, text } = await printedBy(
    () =>
      new Promise<Mocha.Runner>((resolve) => {
        const runner = mocha.run(() => resolve(runner));
        runner.on('fail', noteFailure).on('fail', (test) => failed.push(test));
      }),
  );
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event); // mocha adds its own for each run
  return { counts: countsOf(result.stats as Mocha.Stats), output: text, failures: await failuresText(failed) };
}

process.on('message', async (file) => process.send?.(await runFile(String(file))));
process.once('disconnect', endIfLeaking);
