/**
 * A language model with recorded answers: a server on loopback that finds the answer to a request by its hash. Requests without a recorded answer
 * are passed on to a model and recorded, or else written to a file of open calls, to be answered later.
 *
 * Both files hold lines of JSON: `{hash, task, answer}`, and `{hash, task, orders, data}` (the orders only once for each task).
 * To answer an open call, append its line with `answer` to the recording.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { OpenAI } from 'openai';
import { type ChatCall, type ChatServer, sendChatError, startChatServer, streamAnswer } from './chatServer.ts';

interface RecordedCall {
  hash: string;
  task: string;
  answer: unknown;
}

/** An answer to each task that finds nothing. */
const EMPTY: Readonly<Record<string, unknown>> = {
  reading: { filters: [], criteria: [], exclusions: [], idle: [] },
  verdicts: { verdicts: [] },
};

interface RecordedModelOptions {
  /** lines of recorded answers; may be absent if a model is recorded */
  file: string;
  /** the model that answers requests without a recorded answer */
  model?: { url: string; key: string | null; name: string };
  /** whether an open call gets an empty answer, so that one run collects all open calls, or 404 */
  answersOpenCalls?: boolean;
  /** whether the hash covers only the data of a request, so that a recording stays valid when orders or filters are reworded */
  isLenient?: boolean;
}

export interface RecordedModel extends ChatServer {
  /** hashes of the calls that had no recorded answer */
  readonly open: ReadonlySet<string>;
  /** the file that they were written to */
  readonly openFile: string;
}

const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** SHA-256 of the messages and the answer's schema; the model's name and sampling settings do not count. */
const hashOfCall = ({ body: { messages, response_format } }: ChatCall): string => hashOf([messages, response_format]);

/** SHA-256 of the task and its data without the filters to choose from. */
const hashOfSubject = ({ task, data: { filters: _, ...subject } }: ChatCall): string => hashOf([task, subject]);

/** The answers of a recording by their hashes; if a call was answered twice, the last answer counts. */
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
    // Without a reading of the model the rules read the question, so the later calls are not those that follow a model's reading.
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
    sendChatError(response, 404, `This call is not in the recording. It was written to ${openFile}: append it with its answer to ${file}.`);
  };
  return { ...(await startChatServer(answer)), open, openFile };
}

/** The whole answer of a model, parsed. @throws errors of its client; SyntaxError if it is not complete JSON */
async function answerOf({ url, key, name }: NonNullable<RecordedModelOptions['model']>, { body }: ChatCall): Promise<unknown> {
  const { OpenAI: Client } = await import('openai');
  const client = new Client({ baseURL: url, apiKey: key ?? 'none', organization: null, project: null, maxRetries: 2, logLevel: 'off' });
  const asked = { ...body, model: name } as OpenAI.Chat.ChatCompletionCreateParamsStreaming;
  let content = '';
  for await (const { choices } of await client.chat.completions.create(asked)) content += choices[0]?.delta?.content ?? '';
  return JSON.parse(content);
}
