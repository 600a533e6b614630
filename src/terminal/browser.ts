/** The browser of whoever sits at the terminal. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address; where there is no browser, nothing happens. Nothing waits for it. */
export function openInBrowser(address: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  spawn(command, [...args, address], { detached: true, stdio: 'ignore' })
    .on('error', () => {}) // the address has been printed
    .unref();
}
