/** A real Chromium without a window, from an npm package on Linux and as it is installed elsewhere. */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver } from 'playwright-core';

/** The package sets these for hosts that allow a single process; here Chromium needs several. */
const UNWANTED = new Set(['--single-process', '--no-zygote']);
/** Those of the package by which WebGL is computed without a graphics card, which costs every frame of every page. */
const DRAWING = new Set([
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
]);
/** What is not drawn by WebGL costs less without it. */
const MAP_ALONE = '--disable-gpu-rasterization';
const NOT_DRAWING = ['--disable-gpu', '--disable-software-rasterizer'];

const packaged = process.platform === 'linux' && process.arch === 'x64';

/** The package unpacks itself into TMPDIR, by fixed names: one folder a checkout. */
async function packagedPath(): Promise<string> {
  const before = process.env.TMPDIR;
  const folder = path.join(
    tmpdir(),
    `chromium-${createHash('sha256')
      .update(import.meta.dirname)
      .digest('hex')
      .slice(0, 12)}`,
  );
  mkdirSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** @param draws whether pages can draw by WebGL, as a map does: otherwise they take a fraction of the time */
export async function openBrowser({ draws = true } = {}): Promise<Browser> {
  if (!packaged) return driver.launch({ channel: 'chrome' });
  const usual = chromium.args.filter((arg) => !UNWANTED.has(arg));
  const args = draws ? [...usual, MAP_ALONE] : [...usual.filter((arg) => !DRAWING.has(arg)), ...NOT_DRAWING];
  return driver.launch({ args, executablePath: await packagedPath(), headless: true });
}
