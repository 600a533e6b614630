/** The mail at the end of an AI search: counts, credits and where to read it; nothing of its question or its records. Pure. */

import type { NewMail } from '../../core/mail/mail.ts';
import type { AiStatus, PartialReason } from './statuses.ts';

/** What its recipient can unsubscribe from. */
const TOPIC = 'ai-search';

export interface AiSearchEnd {
  id: string;
  status: Exclude<AiStatus, 'queued' | 'running'>;
  partialReason: PartialReason | null;
  delivered: number;
  reviewed: number;
  /** records that may be related */
  related: number;
  /** credits, of records and contacts together */
  charged: number;
  refunded: number;
}

const ENDED: Readonly<Record<AiSearchEnd['status'], string>> = {
  completed: 'is complete',
  partial: 'ended early',
  failed: 'failed',
  cancelled: 'was cancelled',
};

const WHY: Readonly<Record<PartialReason, string>> = {
  cancelled_by_user: 'It was cancelled while it ran; what was confirmed until then is delivered.',
  daily_ai_budget_exhausted: 'Your team’s records of the day are used up; what was confirmed until then is delivered.',
  review_ceiling_reached: 'It looked at as many records as one search may; narrow the question to reach the others.',
  deadline_reached: 'Its time was over; what was confirmed until then is delivered.',
};

const counted = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;

export const pollUrlOf = (publicUrl: string, id: string) => `${publicUrl}/v1/projects/ai-search/jobs/${id}`;

export function aiSearchMail(recipient: string, end: AiSearchEnd, publicUrl: string): NewMail {
  const { id, status, partialReason, delivered, reviewed, related, charged, refunded } = end;
  const ended = `Your AI search ${ENDED[status]}`;
  return {
    event: `ai_search:${id}`,
    topic: TOPIC,
    recipient,
    content: {
      subject: status === 'completed' || status === 'partial' ? `${ended}: ${counted(delivered, 'record')}` : ended,
      paragraphs: [
        `${ended}. ${counted(delivered, 'record')} delivered, ${counted(reviewed, 'record')} reviewed.`,
        ...(related ? [`${counted(related, 'other record')} may be related; nothing of them is charged.`] : []),
        ...(partialReason ? [WHY[partialReason]] : []),
        `${counted(charged, 'credit')} charged, ${counted(refunded, 'credit')} refunded.`,
      ],
      link: { label: 'The search, for 72 hours', url: pollUrlOf(publicUrl, id) },
      reason: 'You asked for this search. `notify: {"email": false}` in its body stops such mails.',
    },
  };
}
