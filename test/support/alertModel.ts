/** A model of the deliveries and charges of a team's alerts in plain maps, with which tests compare the service. */

export interface ModelRecord {
  id: number;
  /** another one with each change */
  version: number;
  county: string;
  acreage: number;
  /** no two records share one, so that the order of a run is certain */
  meetingDate: string;
}

export interface ModelAlert {
  counties: string[];
  acreageMin: number | null;
  maxRecordsPerRun: number;
  /** version of each record as the alert delivered it last */
  delivered: Map<number, number>;
  dismissed: Set<number>;
}

export interface ModelRun {
  /** in the order of the run */
  ids: number[];
  newRecords: number;
  changedRecords: number;
  moreMatched: number;
  cost: number;
}

export class AlertModel {
  readonly records = new Map<number, ModelRecord>();
  /** version of each record as the team holds it */
  readonly held = new Map<number, number>();

  line({ id, version, county, acreage, meetingDate }: ModelRecord): object {
    return {
      kind: 'project',
      id,
      projectName: `Project ${id}`,
      summary: `Version ${version}`,
      state: 'CO',
      county,
      acreage,
      meetingDate,
      propertyType: 'residential',
    };
  }

  #fits({ counties, acreageMin }: ModelAlert, record: ModelRecord): boolean {
    return counties.includes(record.county) && record.acreage >= (acreageMin ?? 0);
  }

  /** Runs an alert: delivers each match that is new or changed for it, newest meeting first. Records that the team holds unchanged are free. */
  run(alert: ModelAlert): ModelRun {
    const found = [...this.records.values()]
      .filter((record) => this.#fits(alert, record) && alert.delivered.get(record.id) !== record.version)
      .sort((a, b) => (a.meetingDate < b.meetingDate ? 1 : -1));
    const now = found.slice(0, alert.maxRecordsPerRun);
    const changedRecords = now.filter(({ id }) => alert.delivered.has(id)).length;
    const cost = now.filter(({ id, version }) => this.held.get(id) !== version).length;
    for (const { id, version } of now) {
      alert.delivered.set(id, version);
      alert.dismissed.delete(id);
      this.held.set(id, version);
    }
    return {
      ids: now.map(({ id }) => id),
      newRecords: now.length - changedRecords,
      changedRecords,
      moreMatched: found.length - now.length,
      cost,
    };
  }

  /** Those that were delivered, not dismissed, and still exist. */
  matches(alert: ModelAlert): number[] {
    return [...alert.delivered.keys()].filter((id) => !alert.dismissed.has(id) && this.records.has(id)).sort((a, b) => a - b);
  }
}
