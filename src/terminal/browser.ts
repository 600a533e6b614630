/** Opens the user's browser. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address, without waiting; does nothing if there is no browser. */
export function openInBrowser(address: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  spawn(command, [...args, address], { detached: true, stdio: 'ignore' })
    .on('error', () => {}) // the address has been printed
    .unref();
}
