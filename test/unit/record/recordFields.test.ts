/** The file that the table of records has its columns from. */

import assert from 'node:assert/strict';
import { PARTY_COLUMNS } from '../../../src/core/domain/record/nested.ts';
import { SORTS } from '../../../src/core/filter/controls.ts';
import { recordFieldsAsset } from '../../../src/web/recordFields.ts';
import type { RecordFields } from '../../../src/web/shared/recordField.ts';
import { FULL } from '../../support/fullRecord.ts';
import { assertNone, pluck } from '../../support/lists.ts';

describe('the file of the record table', () => {
  it('has every field in the order of answers, a text for each list, and every order of a search', async () => {
    const asset = recordFieldsAsset(SORTS);
    const { fields, sorts }: RecordFields = JSON.parse(await asset.content());
    assert.deepEqual(pluck(fields, 'name'), [...FULL, 'derived', ...PARTY_COLUMNS]);
    assert.deepEqual(
      pluck(
        fields.filter(({ kind, text }) => kind === 'list' && !text),
        'name',
      ),
      [],
    );
    const sorted = Object.values(sorts).map(({ field }) => field);
    assertNone(sorted, (name) => !fields.some((field) => field.name === name));
  });
});
