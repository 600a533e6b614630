/** Determines which records are absorbed into which. Pure. */

/** Ids of members, by the record that names them; a record does not name itself here. */
export type Claims = ReadonlyMap<number, readonly number[]>;

/**
 * Resolves claims into families: each survivor with the ids, ascending, that it absorbs directly or through an absorbed record. If several records
 * claim one id, or claim each other, the lowest id survives.
 */
export function resolveFamilies(claims: Claims): Map<number, number[]> {
  const owner = new Map<number, number>();
  for (const [claimant, ids] of claims) for (const id of ids) owner.set(id, Math.min(claimant, owner.get(id) ?? claimant));
  const families = new Map<number, number[]>();
  for (const id of [...owner.keys()].sort((a, b) => a - b)) {
    const survivor = findSurvivor(id, owner);
    const family = families.get(survivor);
    if (family && survivor !== id) family.push(id);
    else if (survivor !== id) families.set(survivor, [id]);
  }
  return families;
}

function findSurvivor(id: number, owner: ReadonlyMap<number, number>): number {
  const path: number[] = [];
  let at = id;
  for (let next = owner.get(at); next !== undefined; next = owner.get(at)) {
    path.push(at);
    at = next;
    const circle = path.indexOf(at);
    if (circle >= 0) return Math.min(...path.slice(circle));
  }
  return at;
}
