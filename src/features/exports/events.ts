/** Events of exports, and who may see them (src/docs/lists.md). */
import { isAlertMember } from '../alerts/index.ts';
import type { EventDeclaration } from '../feature.ts';
import { isListMember, isSavedList } from '../lists/index.ts';

/**
 * SQL: whether a user of its team may see export `x` of job `j`. For an alert or list: its members and the owners of the team; once that is
 * deleted, the export's creator and the owners.
 * @param user an SQL expression
 */
export const maySeeExport = (user: string) => `(
  coalesce(x.source->>'alertId', x.source->>'listId') is null
  or exists (select from app_user owner where owner.id = ${user} and owner.role = 'owner')
  or ${isAlertMember("x.source->>'alertId'", user)} or ${isListMember("x.source->>'listId'", user)}
  or j.user_id = ${user} and x.source->>'alertId' is null and not ${isSavedList("x.source->>'listId'")})`;

const seenBy = `not exists (select from export x join job j on j.id = x.id where x.id = e.subject_id and not ${maySeeExport('u.id')})`;

const data: EventDeclaration['data'] = ({ id }, apiUrl) => ({ id, pollUrl: `${apiUrl}/exports/${id}` });

export const EXPORT_EVENTS: readonly EventDeclaration[] = [
  {
    type: 'export.ready',
    summary: 'the file of an export can be downloaded',
    example: 'exp_7dN4vRg0Py9Wi3Hs6MjToE',
    place: 7,
    data,
    seenBy,
  },
  {
    type: 'export.failed',
    summary: 'an export has failed; what it reserved came back',
    example: 'exp_7dN4vRg0Py9Wi3Hs6MjToE',
    place: 8,
    data,
    seenBy,
  },
];
