/** The guides as tests read them: fenced blocks, the requests in them, and the keys that the answers shown with them name. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const FOLDER = 'src/docs';

export interface Guide {
  name: string;
  path: string;
  text: string;
}

function readGuide(file: string): Guide {
  const place = path.join(root, file);
  return { name: path.basename(file), path: place, text: readFileSync(place, 'utf8') };
}

export const readme = readGuide('README.md');

export const guides: readonly Guide[] = readdirSync(path.join(root, FOLDER))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => readGuide(path.join(FOLDER, name)));

interface Block {
  language: string;
  /** what follows the language on the fence */
  info: string;
  line: number;
  /** line of the closing fence */
  end: number;
  text: string;
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [i, line] of text.split('\n').entries()) {
    const [, language = '', info = ''] = /^```(\S*)\s*(.*)$/.exec(line) ?? [];
    if (!line.startsWith('```')) {
      if (open) open.text += `${line}\n`;
    } else if (open) {
      blocks.push({ ...open, end: i + 1 });
      open = undefined;
    } else open = { language, info, line: i + 1, end: i + 1, text: '' };
  }
  if (open) throw new Error(`The block of line ${open.line} is not closed`);
  return blocks;
}

/** Blocks of a language as one program, each after the other. */
export const programOf = ({ text }: Guide, language: string): string =>
  blocksOf(text)
    .filter((block) => block.language === language)
    .map((block) => block.text)
    .join('\n');

/** A `sh` block with the answer and the headers that are shown right after it. */
export interface Example {
  line: number;
  commands: string[];
  /** null for any 2xx */
  status: number | null;
  /** the error code, where one is expected */
  code: string | null;
  shown: unknown;
  headers: string[];
}

/** Lines of a block as commands: a backslash at the end joins the next line, comments are left out. */
const commandsOf = (text: string) =>
  text
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'));

export function examplesOf({ text }: Guide): Example[] {
  const blocks = blocksOf(text);
  return blocks.flatMap((block, i): Example[] => {
    if (block.language !== 'sh') return [];
    const [status, code] = block.info.split(/\s+/).filter(Boolean);
    const example: Example = {
      line: block.line,
      commands: commandsOf(block.text),
      status: status ? Number(status) : null,
      code: code ?? null,
      shown: undefined,
      headers: [],
    };
    let end = block.end;
    for (const next of blocks.slice(i + 1)) {
      if (next.line !== end + 1) break;
      end = next.end;
      if (next.language === 'json') example.shown = JSON.parse(withoutEllipses(next.text));
      else if (next.language === 'http') example.headers = next.text.split('\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1] ?? []);
      else break;
    }
    return [example];
  });
}

/** JSON in which `…` stands for what was left out. */
export function withoutEllipses(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|[^"]+/g) ?? [];
  const left = (part: string) =>
    part
      .replaceAll(/:\s*…/g, ': null')
      .replaceAll(/,\s*…/g, '')
      .replaceAll(/…\s*,?/g, '');
  return parts.map((part) => (part.startsWith('"') ? part : left(part))).join('');
}

export interface GuideRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

type Variables = Readonly<Record<string, string>>;

/** Words of a command as a shell would see them. @throws Error for a variable that has no value */
export function wordsOf(command: string, variables: Variables): string[] {
  const expand = (text: string) =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`$${name} has no value here`);
      return value;
    });
  const part = (text: string) => {
    if (text.startsWith("'")) return text.slice(1, -1);
    return expand(text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(["\\$])/g, '$1') : text);
  };
  const words = command.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g) ?? [];
  return words.map((word) => (word.match(/'[^']*'|"(?:[^"\\]|\\.)*"|[^'"]+/g) ?? []).map(part).join(''));
}

/** `get PATH`, `post PATH BODY`, or a curl command with -X, -H, -d and -o. @throws Error for any other command or option */
export function requestOf(command: string, variables: Variables): GuideRequest {
  const [program, ...words] = wordsOf(command, variables);
  const own = { url: `${variables.API}${words[0]}`, headers: { Authorization: `Bearer ${variables.KEY}` } };
  if (program === 'get') return { method: 'GET', ...own };
  if (program === 'post')
    return { method: 'POST', url: own.url, headers: { ...own.headers, 'Content-Type': 'application/json' }, body: words[1] ?? '' };
  if (program !== 'curl') throw new Error(`'${program}' is no request; put it into a 'console' block`);
  const request: GuideRequest = { method: 'GET', url: '', headers: {} };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === '-X') request.method = words[++i] as string;
    else if (word === '-o') i++;
    else if (word === '-d') request.body = words[++i] as string;
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(words[++i] as string) ?? [];
      request.headers[name] = value;
    } else if (word.startsWith('-')) {
      if (!/^-[sgi]+$/.test(word)) throw new Error(`curl's ${word} is not understood here`);
    } else request.url = word;
  }
  return request;
}

/** Paths of keys that `shown` has and `actual` has not; list entries are compared place by place. */
export function missingKeys(shown: unknown, actual: unknown, place = ''): string[] {
  if (shown === null || typeof shown !== 'object') return [];
  if (actual === null || typeof actual !== 'object' || Array.isArray(actual) !== Array.isArray(shown)) return [place || '(all)'];
  return Object.entries(shown).flatMap(([key, value]) => {
    const at = place ? `${place}.${key}` : key;
    return Object.hasOwn(actual, key) ? missingKeys(value, (actual as Record<string, unknown>)[key], at) : [at];
  });
}
