import net from 'node:net';
import { type Log, ServerFailed } from './errors.ts';

export const HOST = '127.0.0.1';
const ATTEMPTS = 4;
const CONNECT_TIMEOUT_MS = 300;

/** The preferred port if it is free, otherwise one that the system picks. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  return listen(0);
}

/** Starts a server on free ports; if another program takes one meanwhile, starts it again on other ports. */
export async function withFreePorts<T>(preferred: (number | undefined)[], log: Log, start: (...ports: number[]) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const wanted = attempt === 1 ? preferred : preferred.map(() => undefined);
    const ports = await Promise.all(wanted.map((port) => freePort(port)));
    try {
      return await start(...ports);
    } catch (error) {
      if (!(error instanceof ServerFailed && error.portWasTaken) || attempt === ATTEMPTS) throw error;
      log(`Port ${ports.join(' or ')} was taken meanwhile; trying others.`);
    }
  }
}

/** Also tries to connect: some systems allow binding 127.0.0.1 while a server listens on every address. */
async function isFree(port: number): Promise<boolean> {
  if (await answers(port)) return false;
  return listen(port).then(
    () => true,
    () => false,
  );
}

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const { port: bound } = server.address() as net.AddressInfo;
      server.close(() => resolve(bound));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: HOST, timeout: CONNECT_TIMEOUT_MS });
    const settle = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
