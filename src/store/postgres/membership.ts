/** Who is a member of an alert or a list (src/docs/lists.md). */

/** That a user of its team is a member of alert `a` or list `l`: the rule of `membersOf`, but for closed accounts. @param user an SQL expression */
export const memberOf = (user: string, of: 'a' | 'l' = 'a') => `(${of}.created_by = ${user}
  or ${of}.share_mode = 'team' and not ${user} = any (${of}.opt_out_user_ids) or ${of}.share_mode = 'custom' and ${user} = any (${of}.share_user_ids))`;

/** Open members of alert `a` or list `l`. */
export const openMembers = (of: 'a' | 'l') =>
  `(select count(*)::integer from app_user u where u.team_id = ${of}.team_id and u.closed_at is null and ${memberOf('u.id', of)})`;
