/** A real SMTP server on loopback that refuses, stalls or drops connections when a test says so. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** What it does to the next connections; `drop` cuts within the mail, `swallow` takes the mail and cuts before it says so. */
export type Mood = 'take' | 'refuse recipient' | 'refuse mail' | 'busy' | 'stall at greeting' | 'stall at mail' | 'drop' | 'swallow';

export interface ReceivedMail {
  to: string[];
  from: string;
  /** head and body as they came */
  raw: string;
  /** values by lower-case name, unfolded */
  headers: Map<string, string>;
  secure: boolean;
  user: string | undefined;
}

export interface TestMailServer extends AsyncDisposable {
  url: string;
  port: number;
  received: ReceivedMail[];
  /** connections so far */
  connections: number;
  mood: Mood;
  stop(): Promise<void>;
}

const refusal = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode });

function headersOf(raw: string): Map<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return new Map(
    head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** @param login user and password that it asks for, over TLS alone */
export async function testMailServer(login?: { user: string; password: string }): Promise<TestMailServer> {
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  const world: TestMailServer = { url: '', port: 0, received: [], connections: 0, mood: 'take', stop, [Symbol.asyncDispose]: stop };
  const cut = (session: SMTPServerSession) => {
    for (const connection of server.connections) if (connection.session.id === session.id) connection._socket.destroy();
  };
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 100,
    ...(login ? {} : { disabledCommands: ['STARTTLS', 'AUTH'] }),
    authOptional: !login,
    onConnect: (_, done) => {
      world.connections += 1;
      if (world.mood !== 'stall at greeting') done();
    },
    onAuth: ({ username, password }, _, done) =>
      username === login?.user && password === login?.password ? done(null, { user: username }) : done(refusal('wrong password', 535)),
    onRcptTo: ({ address }, _, done) => {
      if (world.mood === 'refuse recipient') return done(refusal(`no mailbox ${address} here`, 550));
      return done(world.mood === 'busy' ? refusal('try again later', 451) : null);
    },
    onData: (stream: SMTPServerDataStream, session, done) => {
      const { mood } = world;
      if (mood === 'stall at mail') return void stream.resume();
      if (mood === 'drop') {
        cut(session);
        return void stream.resume();
      }
      void text(stream).then((raw) => {
        if (mood === 'refuse mail') return done(refusal('looks like spam', 554));
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : '';
        const user = session.user === undefined ? undefined : String(session.user);
        world.received.push({ to: rcptTo.map(({ address }) => address), from, raw, headers: headersOf(raw), secure: session.secure, user });
        return mood === 'swallow' ? cut(session) : done();
      });
    },
  });
  server.on('error', () => {}); // of clients that were cut off
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  world.port = (server.server.address() as AddressInfo).port;
  world.url = `smtp://127.0.0.1:${world.port}`;
  return world;
}
