/** Suite `map`: the page in a real Chromium that renders in software: how soon its list appears, and how smoothly 10,000 points and more are dragged. */
import type { Browser, Page } from 'playwright-core';

import { openBrowser } from '../../../lib/browser.ts';
import { median, type ReportSection } from '../../../lib/report.ts';
import { type CorpusOptions, corpusOptions, corpusText, type Suite, serveCorpus } from '../suite.ts';

const USUAL_SIZE = 200_000;
const SCREEN = { width: 1440, height: 900 };
const [VISITS, DRAGS, DRAG_MS] = [10, 5, 3_000];
/** How far the pointer goes to and fro while it drags, in pixels. */
const DRAG_PIXELS = 240;
const STARTED_MS = 3_000;

/** Opens the page in a browser profile of its own, so that nothing is cached. */
async function openPage(browser: Browser, url: string, key: string): Promise<Page> {
  const context = await browser.newContext({ viewport: SCREEN, locale: 'en-US' });
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('landuse-key', '${key}')`);
  await page.goto(`${url}/map?dateRange=all`);
  await page.waitForSelector('.items .item');
  return page;
}

/** Milliseconds from the navigation to the list. */
async function measureFirstList(browser: Browser, url: string, key: string): Promise<number> {
  const page = await openPage(browser, url, key);
  const ms = await page.evaluate<number>('performance.now()');
  await page.context().close();
  return ms;
}

/** Drags the map to and fro. Script is everything that runs on the page's main thread, the renderer included. */
async function measureDrag(page: Page): Promise<{ frames: number; scriptMsAFrame: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const readScript = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  };
  await page.evaluate('frames = 0; isCounted = true; (function count() { frames++; if (isCounted) requestAnimationFrame(count); })()');
  const [x, y] = [SCREEN.width / 3, SCREEN.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const scriptBefore = await readScript();
  const started = performance.now();
  for (let passed = 0; passed < DRAG_MS; passed = performance.now() - started)
    await page.mouse.move(x + DRAG_PIXELS * Math.sin(passed / 300), y + (DRAG_PIXELS / 2) * Math.sin(passed / 500));
  const script = (await readScript()) - scriptBefore;
  const frames = await page.evaluate<number>('isCounted = false; frames');
  await page.mouse.up();
  return { frames, scriptMsAFrame: (script * 1000) / frames };
}

async function repeat<T>(times: number, measure: () => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (let i = 0; i < times; i++) measured.push(await measure());
  return measured;
}

const tell = (title: string, values: readonly number[], digits = 0) => [
  title,
  ...[median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits)),
];

export const map: Suite<CorpusOptions> = {
  name: 'map',
  summary: 'the page in a browser: how soon its list appears, and what a frame costs while the map is dragged',
  options: corpusOptions,
  async run(bench, options) {
    await using run = await serveCorpus(bench, options, USUAL_SIZE);
    const { key } = await bench.sandbox.account('national');
    await using browser = await openBrowser();
    await measureFirstList(browser, run.api.url, key); // the server bundles the page's files at the first visit
    const lists = await repeat(VISITS, () => measureFirstList(browser, run.api.url, key));
    const page = await openPage(browser, run.api.url, key);
    await page.waitForSelector('.tools');
    await page.waitForTimeout(STARTED_MS);
    const drags = await repeat(DRAGS, () => measureDrag(page));
    const rows = [
      tell('First list, ms', lists),
      tell(
        'Script a frame, ms',
        drags.map(({ scriptMsAFrame }) => scriptMsAFrame),
        1,
      ),
      tell(
        `Frames in a drag of ${DRAG_MS / 1000} s`,
        drags.map(({ frames }) => frames),
      ),
    ];
    const section: ReportSection = { title: 'The page', head: ['', 'median', 'least', 'most'], rows };
    return {
      title: 'The map in a browser',
      about: `${corpusText(run.corpus)}, all in view. A screen of ${SCREEN.width} × ${SCREEN.height}, rendered in software on the same machine; a warm server, an empty cache of the browser. ${VISITS} visits, ${DRAGS} drags. Script is all of the page's main thread, the renderer's included.`,
      sections: [section],
      figures: { lists, drags },
    };
  },
};
