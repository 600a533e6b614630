import type { Database } from '../../core/store/postgres/pool.ts';

/** Saved preferences of a user; an absent one is not set. */
interface Preferences {
  propertyTypes?: string[];
  states?: number[];
  counties?: number[];
  cities?: number[];
  website?: string;
}

export interface SavedPreferences {
  preferences: Preferences;
  updatedAt: Date | null;
}

export class PreferenceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(userId: number): Promise<SavedPreferences> {
    const [row] = await this.#database.query<SavedPreferences>(
      'select preferences, updated_at as "updatedAt" from search_preferences where user_id = $1',
      [userId],
    );
    return row ?? { preferences: {}, updatedAt: null };
  }

  /** Sets the fields in `changes`; null clears one. */
  async merge(userId: number, changes: Record<string, unknown>, now: Date): Promise<SavedPreferences> {
    const [row] = await this.#database.query<SavedPreferences>(
      `insert into search_preferences as saved (user_id, preferences, updated_at) values ($1, jsonb_strip_nulls($2::jsonb), $3)
       on conflict (user_id) do update set preferences = jsonb_strip_nulls(saved.preferences || $2::jsonb), updated_at = $3
       returning preferences, updated_at as "updatedAt"`,
      [userId, JSON.stringify(changes), now],
    );
    if (!row) throw new Error('The preferences were not written');
    return row;
  }
}
