import assert from 'node:assert/strict';
import { normalizeReferenceNumber } from '../../src/core/domain/referenceNumbers.ts';

describe('case and parcel numbers', () => {
  it('are the same whatever their case, blanks, dots and dashes', () => {
    for (const spelling of ['rz-2024.017', 'RZ 2024 017', ' Rz–2024—017 ', 'RZ2024017', 'ＲＺ-2024-017'])
      assert.equal(normalizeReferenceNumber(spelling), 'RZ2024017', spelling);
  });

  it('keep leading zeros of their groups, slashes and other marks', () => {
    assert.notEqual(normalizeReferenceNumber('001-23'), normalizeReferenceNumber('1-23'));
    assert.equal(normalizeReferenceNumber('R/P 12#4'), 'R/P12#4');
  });

  it('have nothing to compare where they are separators alone', () => assert.equal(normalizeReferenceNumber(' - . '), ''));
});
