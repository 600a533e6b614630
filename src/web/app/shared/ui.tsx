/** Components shared by every part of the page. */
import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ErrorCode } from '../../../core/domain/errorTable.ts';
import type { Asked } from './hooks.ts';
import { usePage } from './page.ts';
import { asProblem, type FailedRequest } from './problems.ts';
import { settings } from './settings.ts';
import { date } from './words.ts';

/** Links to those who can give more; nobody is named where the service names nobody. */
export const WhomToAsk = () => (
  <span class="ask-for-more">
    {settings.upgradeUrl && <a href={settings.upgradeUrl}>Change the plan</a>}
    {settings.upgradeUrl && settings.contactUrl && ' · '}
    {settings.contactUrl && <a href={settings.contactUrl}>Ask for more</a>}
  </span>
);

/** The shortest of them. */
export function MoreLink() {
  const href = settings.upgradeUrl ?? settings.contactUrl;
  return href && <a href={href}>More credits</a>;
}

export function MoreCredits() {
  const { resetsAt, plan } = usePage().account;
  const grant = resetsAt ? `New credits come on ${date(resetsAt)}.` : `The credits of the ${plan.label.toLowerCase()} are never refilled.`;
  return (
    <span>
      {grant} Counts, charts, the map and records that your team already holds stay free. <a href="/docs/plans">Plans</a> <WhomToAsk />
    </span>
  );
}

/** Errors with which an allowance, a plan or a licence ends. */
const ENDS = new Set<string>([
  ...(['credits_exhausted', 'insufficient_credits', 'enrichment_allowance_exceeded', 'enrichment_requires_paid_plan'] as const),
  ...(['sharing_requires_paid_plan', 'subscription_required', 'account_disabled', 'geographic_access_denied'] as const),
  ...(['alert_limit_reached', 'alert_geography_too_broad'] as const),
] satisfies ErrorCode[]);

/** A problem: a sentence and its remedy. */
export const Notice = ({ problem, again }: { problem: FailedRequest; again?: (() => void) | undefined }) => (
  <div class="notice" role="alert">
    <p>
      <strong>{problem.message}</strong> {problem.remedy} {problem.waitSeconds > 0 && `Wait ${problem.waitSeconds} s.`}
    </p>
    <p class="actions">
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
      {problem.status > 0 && <a href={`/docs/errors#${problem.code}`}>About this error</a>}
      {ENDS.has(problem.code) && <WhomToAsk />}
    </p>
  </div>
);

export const Empty = ({ children }: { children?: ComponentChildren }) => <p class="empty">{children}</p>;

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p class="loading" role="status">
    <span class="spinner" aria-hidden="true" />
    {what} …
  </p>
);

export const Notes = ({ notes }: { notes: readonly string[] }) => (
  <>
    {notes.map((note) => (
      <p class="note" key={note}>
        {note}
      </p>
    ))}
  </>
);

/** Names with what they say. */
export const Definitions = ({
  rows,
  ...list
}: {
  rows: readonly (readonly [name: ComponentChildren, words: ComponentChildren])[];
  class?: string;
}) => (
  <dl {...list}>
    {rows.map(([name, words]) => (
      <div>
        <dt>{name}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
);

/** What is shown until there is an answer: that it is waited for, or why there is none. */
export const Pending = ({ asked: { answer, problem, again }, what }: { asked: Asked<unknown>; what?: string }) => (
  <>
    {problem && <Notice problem={problem} again={again} />}
    {answer === null && !problem && <Loading what={what} />}
  </>
);

/** A small table of figures or rows, which are cards on a phone unless they are figures. @param given `numbers`: indices of numeric columns */
export const Table = ({
  heads,
  rows,
  label,
  numbers = [],
}: {
  heads: string[];
  rows: ComponentChildren[][];
  label: string;
  numbers?: number[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it has to be reached by keyboard
  // biome-ignore lint/a11y/useSemanticElements: it groups no fields of a form
  <div class="scroll" tabIndex={0} role="group" aria-label={label}>
    <table class={heads.length - numbers.length > 2 ? 'cards' : ''}>
      <thead>
        <tr>
          {heads.map((head, i) => (
            <th key={head} scope="col" class={numbers.includes(i) ? 'number' : ''}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, i) => (
              <td class={numbers.includes(i) ? 'number' : ''} data-head={heads[i]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

interface DialogProps {
  class: string;
  onClose: () => void;
  children: (close: () => void) => ComponentChildren;
  'aria-label'?: string;
  'aria-labelledby'?: string;
}

/** A dialog over the page, whose contents are given a function that closes it. */
export function Dialog({ children, ...attributes }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} {...attributes}>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

const ProblemPlace = createContext<{ problem: FailedRequest | null; report: (problem: FailedRequest | null) => void }>({
  problem: null,
  report: () => undefined,
});

/** Problems of the actions in it, which `ProblemNotice` shows. */
export function Problems({ children }: { children: ComponentChildren }) {
  const [problem, report] = useState<FailedRequest | null>(null);
  return <ProblemPlace.Provider value={{ problem, report }}>{children}</ProblemPlace.Provider>;
}

export const useProblems = () => useContext(ProblemPlace);

export function ProblemNotice() {
  const { problem } = useProblems();
  return problem && <Notice problem={problem} />;
}

/** A card with a title, and the problems of its actions below that. @param given `note`: below the title */
export const PartCard = ({ title, note, children }: { title: string; note?: string; children: ComponentChildren }) => (
  <Problems>
    <section class="card part-card">
      <h2>{title}</h2>
      {note && <p class="note">{note}</p>}
      <ProblemNotice />
      {children}
    </section>
  </Problems>
);

interface PanelHeadProps {
  /** id of the title */
  id: string;
  title: ComponentChildren;
  /** what the button that closes it is called */
  close?: string;
  onClose: () => void;
  /** content before the title */
  start?: ComponentChildren;
  /** content after it */
  children?: ComponentChildren;
}

export const PanelHead = ({ id, title, close = 'Close', onClose, start, children }: PanelHeadProps) => (
  <header>
    {start}
    <h2 id={id} tabIndex={-1}>
      {title}
    </h2>
    {children}
    <button type="button" class="quiet" aria-label={close} onClick={onClose}>
      ✕
    </button>
  </header>
);

interface ActionProps {
  work: () => Promise<unknown>;
  children?: ComponentChildren;
  kind?: string;
  disabled?: boolean;
  /** of a button that is on or off */
  isPressed?: boolean;
}

/** A button that is disabled and says so while its work runs. */
export function Action({ work, children, kind = '', disabled = false, isPressed }: ActionProps) {
  const [busy, setBusy] = useState(false);
  const { report } = useProblems();
  const run = async () => {
    setBusy(true);
    report(null);
    try {
      await work();
    } catch (error) {
      report(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class={kind} disabled={busy || disabled} aria-busy={busy} aria-pressed={isPressed} onClick={run}>
      {children}
    </button>
  );
}

type ButtonProps = ComponentProps<'button'>;

/** @param given `kind`: classes, such as `small quiet` */
export const Button = ({ kind = '', ...attributes }: ButtonProps & { kind?: string }) => (
  <button type="button" class={kind} {...attributes} />
);
export const SmallButton = (given: ButtonProps) => <Button {...given} kind="small" />;
export const QuietButton = (given: ButtonProps) => <Button {...given} kind="quiet small" />;
export const PrimaryButton = (given: ButtonProps) => <Button {...given} kind="primary" />;
export const SmallAction = (given: ActionProps) => <Action {...given} kind="small" />;
export const PrimaryAction = (given: ActionProps) => <Action {...given} kind="primary" />;

/** Colours of a token's badge: good news, bad news, otherwise neither. */
const TONES: Readonly<Record<string, string>> = {
  approved: 'good',
  approved_with_conditions: 'good',
  recommended_approval: 'good',
  ready: 'good',
  active: 'good',
  denied: 'bad',
  recommended_denial: 'bad',
  withdrawn: 'bad',
  failed: 'bad',
  revoked: 'bad',
};

export const Badge = ({ token, label }: { token: string | null; label?: string | null | undefined }) => (
  <span class={`badge ${TONES[token ?? ''] ?? ''}`}>{label ?? token ?? 'Unknown'}</span>
);
