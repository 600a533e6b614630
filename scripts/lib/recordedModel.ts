/**
 * A language model of recorded answers: a server on loopback that answers a request by its hash. Requests that are not in the recording are
 * passed on to a model and recorded, or else written to a file of open calls, to be answered by whoever can.
 *
 * Recording and open calls are files of lines of JSON: `{hash, task, answer}`, and `{hash, task, orders, data}` (orders once for each task).
 * Answering an open call is to append its line with `answer` to the recording.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { OpenAI } from 'openai';
import { type ChatCall, type ChatServer, refuse, startChatServer, streamAnswer } from './chatServer.ts';

interface RecordedCall {
  hash: string;
  task: string;
  answer: unknown;
}

/** An answer of each task that names nothing. */
const EMPTY: Readonly<Record<string, unknown>> = {
  reading: { filters: [], criteria: [], exclusions: [], idle: [] },
  verdicts: { verdicts: [] },
};

interface RecordedModelOptions {
  /** lines of recorded answers; need not exist where there is a model to record */
  file: string;
  /** a model that answers what is not recorded */
  model?: { url: string; key: string | null; name: string };
  /** an open call is answered as if nothing were found, so that one run brings all calls of a round; else with 404 */
  answersOpenCalls?: boolean;
  /** a request is known by what it is about alone: orders and what may be chosen from do not count, so that a recording outlives their wording */
  isLenient?: boolean;
}

export interface RecordedModel extends ChatServer {
  /** hashes of the calls that had no recorded answer */
  readonly open: ReadonlySet<string>;
  /** the file that they were written to */
  readonly openFile: string;
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** SHA-256 of all that a request asks and shows; the name of the model and how it samples do not count. */
const hashOfCall = ({ body: { messages, response_format } }: ChatCall): string => hashOf([messages, response_format]);

/** SHA-256 of what a request is about. */
const hashOfSubject = ({ task, data: { filters: _, ...subject } }: ChatCall): string => hashOf([task, subject]);

/** The answers of a recording by their hashes; where a call was answered twice, the last one counts. */
export function readRecording(file: string): Map<string, unknown> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line) as RecordedCall).map(({ hash, answer }) => [hash, answer]));
}

export async function startRecordedModel(options: RecordedModelOptions): Promise<RecordedModel> {
  const { file, model, answersOpenCalls = false, isLenient = false } = options;
  const answers = readRecording(file);
  const openFile = `${file}.open`;
  rmSync(openFile, { force: true });
  const open = new Set<string>();
  const orders = new Set<string>();
  let isReadingOpen = false;
  const record = (call: RecordedCall) => {
    answers.set(call.hash, call.answer);
    appendFileSync(file, `${JSON.stringify(call)}\n`);
  };
  const keepOpen = (hash: string, { task, data, body }: ChatCall) => {
    // Without a reading the rules read the question: what is then asked is not what a model would be asked.
    if (task === 'reading') isReadingOpen = true;
    else if (isReadingOpen) return;
    if (open.has(hash)) return;
    open.add(hash);
    appendFileSync(
      openFile,
      `${JSON.stringify({ hash, task, ...(orders.has(task) ? {} : { orders: body.messages[0].content }), data })}\n`,
    );
    orders.add(task);
  };
  const answer = async (call: ChatCall, response: ServerResponse) => {
    const hash = isLenient ? hashOfSubject(call) : hashOfCall(call);
    if (!answers.has(hash) && model) record({ hash, task: call.task, answer: await answerOf(model, call) });
    if (answers.has(hash)) {
      if (call.task === 'reading') isReadingOpen = false;
      return streamAnswer(response, JSON.stringify(answers.get(hash)));
    }
    keepOpen(hash, call);
    if (answersOpenCalls && EMPTY[call.task]) return streamAnswer(response, JSON.stringify(EMPTY[call.task]));
    refuse(response, 404, `This call is not in the recording. It was written to ${openFile}: append it with its answer to ${file}.`);
  };
  return { ...(await startChatServer(answer)), open, openFile };
}

/** The whole answer of a model, as JSON. @throws what its client throws; SyntaxError where it is no JSON, or not all of it */
async function answerOf({ url, key, name }: NonNullable<RecordedModelOptions['model']>, { body }: ChatCall): Promise<unknown> {
  const { OpenAI: Client } = await import('openai');
  const client = new Client({ baseURL: url, apiKey: key ?? 'none', organization: null, project: null, maxRetries: 2, logLevel: 'off' });
  const asked = { ...body, model: name } as OpenAI.Chat.ChatCompletionCreateParamsStreaming;
  let content = '';
  for await (const { choices } of await client.chat.completions.create(asked)) content += choices[0]?.delta?.content ?? '';
  return JSON.parse(content);
}
