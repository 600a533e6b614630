/** Who is a member of something that its team's users share (src/docs/lists.md): a row with the columns of shares, under the alias `of`. */

/** That a user of its team is a member: the rule of `membersOf`, but for closed accounts. @param user an SQL expression */
export const memberOf = (user: string, of: string) => `(${of}.created_by = ${user}
  or ${of}.share_mode = 'team' and not ${user} = any (${of}.opt_out_user_ids) or ${of}.share_mode = 'custom' and ${user} = any (${of}.share_user_ids))`;

/** How many open members it has. */
export const openMembers = (of: string) =>
  `(select count(*)::integer from app_user u where u.team_id = ${of}.team_id and u.closed_at is null and ${memberOf('u.id', of)})`;

/** Makes users $2 its members, besides its creator. */
export const GIVEN_TO_USERS = `share_mode = 'custom', share_user_ids = $2, opt_out_user_ids = '{}', updated_at = service_now()`;
