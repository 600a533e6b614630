/** SQL for membership of things shared within a team (src/docs/lists.md): rows with the columns of shares, under an alias. */

/**
 * SQL: whether a user of the team is a member. The same rule as `membersOf`, without the check for closed accounts.
 * @param user an SQL expression
 */
export const isMemberSql = (user: string, alias: string) => `(${alias}.created_by = ${user}
  or ${alias}.share_mode = 'team' and not ${user} = any (${alias}.opt_out_user_ids) or ${alias}.share_mode = 'custom' and ${user} = any (${alias}.share_user_ids))`;

/** SQL: the number of members with open accounts. */
export const openMemberCountSql = (alias: string) =>
  `(select count(*)::integer from app_user u where u.team_id = ${alias}.team_id and u.closed_at is null and ${isMemberSql('u.id', alias)})`;

/** SQL assignments that make the users $2 members; the creator stays one. */
export const SET_MEMBERS_SQL = `share_mode = 'custom', share_user_ids = $2, opt_out_user_ids = '{}', updated_at = service_now()`;
