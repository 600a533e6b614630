/** The collectors that look at the lines of a file. */
import type { ProjectStatement } from '../../src/core/domain/record/statement.ts';
import { decisionBodies } from '../../src/core/domain/vocabulary.ts';
import { collectProblems, type LineProblem } from '../read/lineProblems.ts';
import { resolvePlace } from '../read/normalise.ts';
import type { DocumentLine, Statement } from '../read/parseLine.ts';
import { CaseNumbers } from './caseNumbers.ts';
import { isOldNews, reportDateFaults } from './dateFaults.ts';
import { type FaultPlace, FaultTally, type ReportFault } from './faults.ts';
import type { ComparedFigures, FindingCollector, FindingContext, LoadedProject, LoadFinding } from './finding.ts';
import { findPageKind } from './minutes.ts';
import { reportPlaceFaults } from './placeFaults.ts';
import { reportDamagedText, reportVotes } from './recordFaults.ts';
import { isOtherCase, ServedFaults } from './servedFaults.ts';

/** Judges each record by itself. */
class RecordCollector implements FindingCollector {
  readonly #context: FindingContext;
  readonly #faults: FaultTally;
  readonly #cases = new CaseNumbers();
  readonly #served = new ServedFaults();

  constructor(context: FindingContext) {
    this.#context = context;
    this.#faults = new FaultTally(context);
  }

  addProject(project: ProjectStatement, loaded: LoadedProject): void {
    this.#faults.addRecord(project);
    const report: ReportFault = (...fault) => this.#faults.addFault(project, project.id, ...fault);
    reportPlaceFaults(project, loaded, this.#context, report);
    reportDateFaults(project, this.#context, report);
    reportVotes(project, report);
    reportDamagedText(loaded.line, loaded.text, report);
    if (!loaded.served && isOldNews(project, this.#context.today)) report('old_news', null, () => `heard ${project.meetingDate}`);
    const { served } = loaded;
    if (served && isOtherCase(project, served)) report('ids_contradict', 'id', () => `served as ${served.projectName ?? 'another case'}`);
    this.#served.add(project, served, this.#context.today);
    this.#cases.add(project);
  }

  listFindings({ now, served }: ComparedFigures): LoadFinding[] {
    this.#cases.reportRepeated(this.#faults);
    this.#served.reportMany(this.#faults);
    return this.#faults.listFindings(now).filter(({ code }) => code !== 'old_news' || served.size > 0);
  }
  /** Of bad lines only what is wrong with them is counted: the file is loaded without them. */
  addBadLine(line: Statement | undefined, problems: readonly LineProblem[]): void {
    const coded = new Map(problems.flatMap(({ code, reason }) => (code ? [[code, reason] as const] : [])));
    if (!coded.size) return;
    const place: FaultPlace = {};
    if (line && line.kind !== 'contact') collectProblems(() => Object.assign(place, resolvePlace(this.#context.places, line)));
    this.#faults.addRecord(place);
    const id = line?.kind === 'contact' ? line.projectId : line?.id;
    for (const [code, reason] of coded) this.#faults.addFault(place, id, code, null, () => `left out, ${reason}`);
  }

  addDocument(): void {}
}

/** Judges the texts of documents. */
class DocumentCollector implements FindingCollector {
  readonly #context: FindingContext;
  readonly #faults: FaultTally;

  constructor(context: FindingContext) {
    this.#context = context;
    this.#faults = new FaultTally(context);
  }

  addDocument(document: DocumentLine): void {
    const { stateId, countyId } = resolvePlace(this.#context.places, document);
    const body = document.decisionBody ?? null;
    const place = { stateId: stateId ?? 0, countyId, decisionBody: body && (decisionBodies.find(body)?.token ?? null) };
    this.#faults.addRecord(place);
    const kind = typeof document.text === 'string' ? findPageKind(document.text) : undefined;
    if (kind !== undefined) this.#faults.addFault(place, document.id, 'not_minutes', 'text', () => kind);
    const report: ReportFault = (...fault) => this.#faults.addFault(place, document.id, ...fault);
    reportDamagedText(document, document.text ?? '', report);
  }

  addProject(): void {}
  addBadLine(): void {}

  listFindings(): LoadFinding[] {
    return this.#faults.listFindings();
  }
}

export const makeFindingCollectors = (context: FindingContext): FindingCollector[] => [
  new RecordCollector(context),
  new DocumentCollector(context),
];
