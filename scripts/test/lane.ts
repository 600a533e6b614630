/** A process of `npm test`: runs each test file that its parent sends, and sends back the result; ends when its parent disconnects. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import Mocha from 'mocha';
import { noteFailure } from './keptData.ts';
import { type FileResult, failedResult } from './lanes.ts';
import { capturePrinted, countOpen, countsOf, endIfLeaking, FileReporter, failuresText, openedText } from './reporter.ts';

const { mocha: settings } = JSON.parse(readFileSync('package.json', 'utf8')) as { mocha: Mocha.MochaOptions };

async function runFile(file: string): Promise<FileResult> {
  const mocha = new Mocha({ ...settings, reporter: FileReporter });
  mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
    flushCompileCache(); // for the processes that the file starts
  } catch (error) {
    return failedResult(`${file} cannot be loaded: ${firstLine(error)}`, error instanceof Error ? `\n${error.stack}` : '');
  }
  const failed: { test: Mocha.Test; error: unknown }[] = [];
  const { result, text } = await capturePrinted(
    () =>
      new Promise<Mocha.Runner>((resolve) => {
        const runner = mocha.run(() => resolve(runner));
        runner.on('fail', noteFailure).on('fail', (test, error) => failed.push({ test, error }));
      }),
  );
  for (const event of ['uncaughtException', 'unhandledRejection']) process.removeAllListeners(event); // mocha adds its own for each run
  const [first] = failed;
  return {
    counts: countsOf(result.stats as Mocha.Stats),
    output: text,
    failures: await failuresText(failed.map(({ test }) => test)),
    firstFailure: first ? `${first.test.fullTitle()}: ${firstLine(first.error)}` : '',
  };
}

/** The first line of an error's message. */
function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? '';
}

/** What was open behind each file and not before it; printed only if the process does not end. */
const leftBy: string[] = [];

process.on('message', async (file) => {
  const before = countOpen();
  const result = await runFile(String(file));
  const opened = openedText(before);
  if (opened) leftBy.push(`behind ${file}: ${opened}`);
  process.send?.(result);
});
process.once('disconnect', () => endIfLeaking(leftBy));
