/**
 * The corpus in dockets: a few dozen projects of one city with the documents of their meetings. A docket depends on the seed and its
 * own numbers alone, so that a corpus of any size streams, holding one docket at a time.
 */
import type { Places } from '../../src/core/domain/places.ts';
import { Minutebook } from './documents.ts';
import {
  ADDED_SHARE,
  DAYS_BETWEEN_GENERATIONS,
  DELETED_COUNT,
  FATE_WEIGHTS,
  FIRST_DOCUMENT_ID,
  FIRST_PROJECT_ID,
  MERGED_SHARE,
  WINDOW_DAYS,
} from './fixtures.ts';
import type { Fate, Hearing, Project, SampleCity, SampleCorpus } from './model.ts';
import { makeProject } from './projects.ts';
import { hashOf, Random } from './random.ts';
import { chooseCities } from './sites.ts';
import { minutesOf } from './texts.ts';

const DOCKET_PROJECTS = 48;
const PROJECTS_PER_MEETING = 4;
const MEETING_INTERVAL_DAYS = 14;
const ADDED_WITHIN_DAYS = 60;
/** so that the body's meeting before it is still between the two extractions */
const DECIDED_WITHIN_DAYS = 6;

interface Plan {
  number: number;
  city: SampleCity;
  /** half-open ranges of indexes: projects of generation 1, projects that generation 2 adds */
  first: number;
  end: number;
  addedFirst: number;
  addedEnd: number;
}

/** The dockets in a shuffled order, so that a file does not read city by city. */
function plan(corpus: SampleCorpus, places: Places): Plan[] {
  const added = Math.round(corpus.projects * ADDED_SHARE);
  const plans: Plan[] = [];
  let share = 0;
  let first = 0;
  for (const { city, share: own } of chooseCities(places, corpus.projects)) {
    share += own;
    const endOfCity = Math.min(corpus.projects, Math.round(share * corpus.projects));
    while (first < endOfCity) {
      const end = Math.min(endOfCity, first + DOCKET_PROJECTS);
      const [addedFirst, addedEnd] = [first, end].map((i) => Math.round((i * added) / corpus.projects)) as [number, number];
      plans.push({ number: plans.length, city, first, end, addedFirst, addedEnd });
      first = end;
    }
  }
  return plans.sort((a, b) => hashOf(corpus.seed, 'order', a.number) - hashOf(corpus.seed, 'order', b.number) || a.number - b.number);
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** A one-to-one scatter of 0 … count - 1, so that neighbouring ids are of different cities. */
function scatter(index: number, count: number, seed: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618));
  while (gcd(stride, count) !== 1) stride++;
  return (index * stride + (hashOf(seed, 'scatter') % count)) % count;
}

export interface Docket {
  city: SampleCity;
  projects: Project[];
}

/** Every docket of the corpus, one at a time, with the projects of both generations and all of their documents. */
export function* dockets(corpus: SampleCorpus, places: Places): Generator<Docket> {
  const deleted = new Set(Array.from({ length: DELETED_COUNT }, (_, k) => Math.floor(((k + 0.5) * corpus.projects) / DELETED_COUNT)));
  let documents = 0;
  for (const plan_ of plan(corpus, places)) {
    const projects = [...originalProjects(plan_, corpus, deleted), ...addedProjects(plan_, corpus)];
    const minutebook = new Minutebook(plan_.city, () => FIRST_DOCUMENT_ID + documents++);
    for (const project of projects) fileMinutes(project, minutebook, corpus);
    yield { city: plan_.city, projects };
  }
}

/** Draws the days on which a docket's projects were last heard: few, so that cases share meetings. */
function drawHearingDays(from: number, to: number, count: number, random: Random): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(count / PROJECTS_PER_MEETING)) }, () => random.int(from, to));
}

function originalProjects({ number, city, first, end }: Plan, corpus: SampleCorpus, deleted: ReadonlySet<number>): Project[] {
  const random = new Random(corpus.seed, 'docket', number);
  const { today } = corpus;
  const usual = drawHearingDays(today - WINDOW_DAYS + MEETING_INTERVAL_DAYS, today - DAYS_BETWEEN_GENERATIONS, end - first, random);
  const recent = drawHearingDays(today - DECIDED_WITHIN_DAYS, today, (end - first) / 10, random);
  const projects: Project[] = [];
  const make = (index: number, fate: Fate, sibling?: Project) => {
    const id = FIRST_PROJECT_ID + scatter(index, corpus.projects, corpus.seed);
    const made = makeProject({ id, index, fate, city, latest: random.pick(fate === 'decided' ? recent : usual) }, corpus, sibling);
    projects.push(made);
    return made;
  };
  for (let index = first; index < end; index++) {
    const fate = fateOf(index, end, deleted, random);
    const project = make(index, fate);
    const phases = fate === 'survivor' ? random.int(1, 2) : 0;
    while (project.absorbed.length < phases && index + 1 < end && !deleted.has(index + 1))
      project.absorbed.push(make(++index, 'absorbed', project));
  }
  return projects;
}

/** How generation 2 changes a project; a survivor needs a neighbour to absorb. */
function fateOf(index: number, end: number, deleted: ReadonlySet<number>, random: Random): Fate {
  if (deleted.has(index)) return 'deleted';
  const canMerge = index + 1 < end && !deleted.has(index + 1);
  return canMerge && random.chance(MERGED_SHARE) ? 'survivor' : random.weighted(FATE_WEIGHTS);
}

function addedProjects({ number, city, addedFirst, addedEnd }: Plan, corpus: SampleCorpus): Project[] {
  const random = new Random(corpus.seed, 'added', number);
  const days = drawHearingDays(corpus.today - ADDED_WITHIN_DAYS, corpus.today, addedEnd - addedFirst, random);
  const total = Math.round(corpus.projects * ADDED_SHARE);
  return Array.from({ length: addedEnd - addedFirst }, (_, i) => {
    const index = addedFirst + i;
    const id = FIRST_PROJECT_ID + corpus.projects + scatter(index, total, corpus.seed);
    return makeProject({ id, index, fate: 'added', city, latest: random.pick(days) }, corpus);
  });
}

/** Enters the hearings in the minutes: those a generation sees as the latest always, earlier ones where minutes were found. */
function fileMinutes(project: Project, minutebook: Minutebook, corpus: SampleCorpus): void {
  const random = new Random(corpus.seed, 'found', project.id);
  const latest = project.fate === 'decided' ? 2 : 1;
  project.hearings.forEach((hearing: Hearing, i) => {
    if (hearing.unrecorded) return;
    const found = random.chance(corpus.texts === 'long' ? 0.5 : 0);
    if (!found && i < project.hearings.length - latest) return;
    const { excerpt, passage } = minutesOf(project, hearing, random, corpus);
    const document = minutebook.documentOf(hearing.body, hearing.day);
    document.items.push(passage);
    hearing.minutes = { document, excerpt, passage };
  });
}
