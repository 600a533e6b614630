/** Who is a member of an alert or a list (src/docs/lists.md). */

/** That a user of its team is a member of alert `a` or list `l`: the rule of `membersOf`, but for closed accounts. @param user an SQL expression */
export const memberOf = (user: string, of: 'a' | 'l' = 'a') => `(${of}.created_by = ${user}
  or ${of}.share_mode = 'team' and not ${user} = any (${of}.opt_out_user_ids) or ${of}.share_mode = 'custom' and ${user} = any (${of}.share_user_ids))`;

/** Open members of alert `a` or list `l`. */
export const openMembers = (of: 'a' | 'l') =>
  `(select count(*)::integer from app_user u where u.team_id = ${of}.team_id and u.closed_at is null and ${memberOf('u.id', of)})`;

/** Makes users $2 the members of an alert or a list, besides its creator. */
export const GIVEN_TO_USERS = `share_mode = 'custom', share_user_ids = $2, opt_out_user_ids = '{}', updated_at = service_now()`;

/**
 * That a user of its team may see export `x` of job `j`: of an alert or list its members and the owners of the team, and once that is gone who
 * made the export and the owners. @param user an SQL expression
 */
export const maySeeExport = (user: string) => `(
  coalesce(x.source->>'alertId', x.source->>'listId') is null
  or exists (select from app_user owner where owner.id = ${user} and owner.role = 'owner')
  or exists (select from alert a where a.id = x.source->>'alertId' and ${memberOf(user, 'a')})
  or exists (select from project_list l where l.id = x.source->>'listId' and ${memberOf(user, 'l')})
  or j.user_id = ${user} and x.source->>'alertId' is null and not exists (select from project_list l where l.id = x.source->>'listId'))`;
