/** A Postgres that refuses every connection with an SQLSTATE, like a server that has reached its limit of connections. */
import net from 'node:net';
import { type LoopbackServer, listenOnLoopback } from '../../scripts/lib/loopback.ts';

/** Fields of an ErrorResponse, each a letter and a text that ends in 0. */
const fatal = (sqlState: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

/** @param port where the server was that it takes the place of */
export const refusingPostgres = (port: number): Promise<LoopbackServer> =>
  listenOnLoopback(
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(fatal('53300', 'sorry, too many clients already')));
    }),
    { port },
  );
