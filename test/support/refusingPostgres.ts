/** A Postgres that refuses every connection with an SQLSTATE, like a server that has reached its limit of connections. */
import net from 'node:net';

export interface RefusingPostgres {
  port: number;
  stop(): Promise<void>;
}

/** Fields of an ErrorResponse, each a letter and a text that ends in 0. */
const fatal = (sqlState: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

/** @param port 0 takes any free one */
export async function refusingPostgres(
  port = 0,
  sqlState = '53300',
  message = 'sorry, too many clients already',
): Promise<RefusingPostgres> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(fatal(sqlState, message)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as net.AddressInfo).port,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
