/** Servers on loopback at a free port, with what ends them. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface LoopbackServer extends AsyncDisposable {
  port: number;
  /** of HTTP, without a path */
  url: string;
  /** cuts the connections that are open, too */
  stop(): Promise<void>;
}

/** Lets a server listen. @param host a loopback address @param port a free one unless set */
export async function listenOnLoopback(server: Server, { host = '127.0.0.1', port: wanted = 0 } = {}): Promise<LoopbackServer> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => open.add(socket.once('close', () => open.delete(socket))));
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(wanted, host, resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, stop, [Symbol.asyncDispose]: stop };
}

export const answerOnLoopback = (answer: RequestListener): Promise<LoopbackServer> => listenOnLoopback(createServer(answer));
