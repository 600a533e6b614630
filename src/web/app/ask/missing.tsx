/** Says before a question is asked which of its parts no record can answer, since none states the field. Free. */
import { call } from '../shared/api.ts';
import { useAnswer, usePaused } from '../shared/hooks.ts';
import { nameInWords } from '../shared/words.ts';

const PAUSE_MS = 700;

/** Fields of filters by words; a bound is that of its field. */
const FIELDS: Readonly<Record<string, string>> = {
  voteResults: 'voteResult',
  staffRecommendations: 'staffRecommendation',
  existingZonings: 'existingZoning',
  proposedZonings: 'proposedZoning',
  decisionBodies: 'decisionBody',
  decisionTypes: 'decisionType',
  requestTypes: 'requestType',
};
const fieldOf = (filter: string): string | undefined => FIELDS[filter] ?? /^(\w+?)(?:Min|Max)$/.exec(filter)?.[1];

/** The fields that a question asks for and no record of the rest of it states. */
async function findSilentFields(question: string, signal: AbortSignal): Promise<string[]> {
  const { filters } = (await call('interpretSentence', { q: question }, { signal })).data;
  const asked = Object.entries(filters).filter(([name]) => fieldOf(name) !== undefined);
  if (!asked.length) return [];
  const others = Object.fromEntries(Object.entries(filters).filter(([name]) => fieldOf(name) === undefined));
  const { fields } = (await call('getAnswerable', { dateRange: 'all', ...others }, { signal })).data;
  const silent = fields.filter(({ stated }) => stated === 0).map(({ name }) => name);
  return [...new Set(asked.flatMap(([name]) => fieldOf(name) ?? []))].filter((field) => silent.includes(field));
}

/** Nothing where every part can be answered, or that cannot be read now: the question itself then says what is wrong. */
export function SilentFields({ question }: { question: string }) {
  const paused = usePaused(question.trim(), PAUSE_MS, '');
  const { answer } = useAnswer(async (signal) => (paused ? findSilentFields(paused, signal) : []), [paused]);
  if (!answer?.length) return null;
  return (
    <p class="note" role="status">
      No record that the rest of the question means states {answer.map((field) => nameInWords(field).toLowerCase()).join(', ')} as a value:
      only the words of minutes may answer that. Nothing is charged for what is not found.
    </p>
  );
}
