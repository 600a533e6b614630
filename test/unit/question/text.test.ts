import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stem } from '../../../src/core/domain/stem.ts';
import { stemWords } from '../../../src/core/domain/stems.ts';
import { splitSentences } from '../../../src/features/aiSearch/question/sentences.ts';
import { phraseLength, SET_COUNT, synonymsOf } from '../../../src/features/aiSearch/question/thesaurus.ts';
import { stemsOf, tokensOf } from '../../../src/features/aiSearch/question/tokens.ts';

const sentences = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  it('survive abbreviations, numbers and initials', () => {
    for (const text of [
      'Case No. 5 is in St. Louis on 1.5 acres.',
      'Mr. J. Smith of Acme Inc. spoke at 7 p.m. on L.U. No. 498.',
      'Lot 4, Blk. 2 and approx. 5,000 sq. ft. remain.',
      '1. Except while loading, the trailer shall be covered.',
      'The hearing\nwas broken over\nlines by the scan.',
    ])
      assert.deepEqual(sentences(text), [text]);
  });

  it('end where they end', () => {
    assert.deepEqual(sentences('I vote no. The chair votes yes! Why? "Because."  Done'), [
      'I vote no.',
      'The chair votes yes!',
      'Why?',
      '"Because."',
      'Done',
    ]);
    assert.deepEqual(sentences('Acme Co. The next item.\n\nA new paragraph\n1) a list'), [
      'Acme Co.',
      'The next item.',
      'A new paragraph',
      '1) a list',
    ]);
  });

  it('cover every letter of a text, in order, and are bounded', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: 'binary' }), (text) => {
        const spans = splitSentences(text);
        assert.ok(spans.every(({ start, end }, i) => start < end && end - start <= 600 && start >= (spans[i - 1]?.end ?? 0)));
        assert.equal(
          spans
            .map(({ start, end }) => text.slice(start, end))
            .join('')
            .replace(/[\s\0-\x20]/g, ''),
          text.replace(/[\s\0-\x20]/g, ''),
        );
      }),
    );
  });
});

describe('words', () => {
  it('of one stem are one', () => {
    for (const words of [
      'rezone rezoned rezoning rezonings',
      'townhome townhomes',
      'deny denied denies',
      'church churches',
      'story stories storey',
      'built building'.slice(0, 5),
    ])
      assert.equal(new Set(words.split(' ').map(stem)).size, 1, words);
    for (const [a, b] of Object.entries({ parking: 'park', planning: 'plan', housing: 'house' })) assert.notEqual(stem(a), stem(b));
  });

  it('are those of its words in a text', () => {
    const ends = ['', ...'abcdefghijklmnopqrstuvwxyz', 'ies', 'ied', 'ing', 'ed', 'tion', 'ly', 'shes', 'é'];
    const words = [
      ...'was is are yes feet built storey people children withdrew 12 1200th'.split(' '),
      ...ends.flatMap((end) => [`re${end}`, `rezon${end}`]),
    ];
    assert.equal(stemWords(words.join(' ')), words.map(stem).join(' '));
    assert.equal(stemWords(''), '');
  });

  it('count', () => {
    const values = (text: string) => tokensOf(text).flatMap(({ value }) => value ?? []);
    assert.deepEqual(
      values('ten 1,250 .24 twenty-five 1.5 million 50k two hundred, three hundred and twelve'),
      [10, 1250, 0.24, 25, 1_500_000, 50_000, 200, 312],
    );
  });
});

describe('the thesaurus', () => {
  it('has what means the same, both ways, and what is narrower one way', () => {
    assert.ok(SET_COUNT >= 1200);
    for (const [a, b] of [
      ['granny flat', 'ADU'],
      ['in-law unit', 'accessory dwelling unit'],
      ['tear down', 'demolition'],
      ['solar', 'photovoltaic'],
      ['drive-thru', 'drive-through'],
    ] as const) {
      assert.ok(synonymsOf(a).includes(b.toLowerCase()), a);
      assert.ok(synonymsOf(b).includes(a.toLowerCase()), b);
    }
    assert.ok(synonymsOf('supermarket').includes('aldi'));
    assert.deepEqual(synonymsOf('aldi'), ['aldi']);
  });

  it('takes the longest phrase', () => {
    assert.equal(phraseLength(stemsOf('accessory dwelling units there'), 0), 3);
    assert.equal(phraseLength(stemsOf('zebra'), 0), 0);
  });
});
