/** Opens and closes the listeners on a port. */
import net from 'node:net';

/**
 * Listeners on one port, among which the system distributes new connections. Each accepts one connection in a turn of the event loop, and a busy turn
 * takes milliseconds: with one listener, hundreds of new clients would wait for seconds before their requests are read, even those to be refused.
 * Only Linux distributes connections among listeners.
 */
const LISTENERS = process.platform === 'linux' ? 8 : 1;
/**
 * Connections that may wait at a listener until they are accepted, as far as the system allows it (`net.core.somaxconn`). Further ones are dropped: their
 * clients try again after 1, 3, 7 … seconds, so that under overload an answer that takes milliseconds would come after minutes.
 */
const WAITING_CONNECTIONS_MAX = 4_096;

const NOT_OURS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

function listenError(error: NodeJS.ErrnoException, port: number, host: string | undefined): Error {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} is taken; set PORT to a free one`);
  return NOT_OURS.includes(error.code ?? '') ? new Error(`HOST ${host} is no address of this machine`) : error;
}

/** @throws Error that names the setting when the port is in use or the address is not of this machine */
function listen(server: net.Server, port: number, host: string | undefined, reusePort: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    server.listen({ port, host, backlog: WAITING_CONNECTIONS_MAX, reusePort }, resolve);
  });
}

/**
 * Binds a port exclusively for a moment: shared binding would also succeed beside the listeners of another service.
 * @returns the port; a free one for 0
 * @throws Error that names the setting when the port is in use or the address is not of this machine
 */
export async function findPort(port: number, host: string | undefined): Promise<number> {
  const server = net.createServer();
  await listen(server, port, host, false);
  const { port: found } = server.address() as net.AddressInfo;
  await closeListener(server);
  return found;
}

/**
 * Starts listening.
 * @param server takes the connections of all listeners
 * @param isShared other processes of this service listen on the port, which was found free before
 * @returns all of them
 * @throws Error that names the setting when the port is in use or the address is not of this machine
 */
export async function openListeners(server: net.Server, port: number, host: string | undefined, isShared = false): Promise<net.Server[]> {
  if (port && !isShared) await findPort(port, host);
  await listen(server, port, host, LISTENERS > 1);
  const { port: shared } = server.address() as net.AddressInfo;
  const take = (socket: net.Socket) => void server.emit('connection', socket);
  // The same options as an HTTP server's.
  const others = Array.from({ length: LISTENERS - 1 }, () => net.createServer({ allowHalfOpen: true, noDelay: true }, take));
  await Promise.all(others.map((other) => listen(other, shared, host, true)));
  return [server, ...others];
}

/**
 * Stops accepting connections, and resolves when the last one has ended. `close` of an HTTP server would close idle connections at once, although a
 * client may be sending on them.
 */
export function closeListener(server: net.Server): Promise<void> {
  return new Promise((resolve) => {
    net.Server.prototype.close.call(server, () => resolve());
  });
}
