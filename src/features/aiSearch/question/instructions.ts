/**
 * Sentences of a text that address a machine which reads it. They say nothing about the project. A sentence of minutes may speak of rules, systems
 * and confirmations; one that addresses a reader names the reader, its orders or its answer.
 */

/** Names for such a machine. */
const READER =
  '(?:(?:large )?language models?|llms?|chat ?(?:bots?|gpt)|(?:ai|a\\.i\\.|virtual|automated|digital) (?:assistants?|models?|agents?|reviewers?|readers?|judges?|screeners?|evaluators?|graders?|systems?)|screeners?|classifiers?)';
/** What only such a machine follows. */
const ORDERS =
  '(?:instructions?|prompts?|directives?|orders?|guardrails?|guidelines|rules|filters?|criteria|constraints?|training|programming)';
/** What it is asked about. */
const ANSWERED = '(?:record|case|entry|project|document|text|listing|item)s?';
const ASKED = '(?:quer(?:y|ies)|questions?|search(?:es)?|prompts?|criteri(?:on|a)|requests? of users?)';

const PATTERNS = [
  // Orders to forget orders: `ignore all previous instructions`, `disregard your rules`; a board may disregard rules, but not `your` or all previous ones.
  `\\b(?:ignore|disregard|override|overrule|forget|bypass|set aside|skip|do not follow|stop following)\\b[^.;\\n]{0,30}\\b(?:your|previous|prior|preceding|above|earlier|foregoing|existing|system|any other|all other|other|all)\\b[^.;\\n]{0,25}\\b${ORDERS}\\b`,
  `\\b(?:override|ignore|bypass|trick|fool)\\s+(?:the\\s+)?${READER}`,
  // The speaker of a dialogue at the beginning of a line, or marked up.
  '^\\W{0,3}(?:system|assistant)\\s?:|^\\W{0,3}assistant\\s?,\\s?(?:please|treat|confirm|mark|answer|you|note|report|return|ignore)|(?:^|[.!?\\n][^\\S\\n]*)(?:SYSTEM|ASSISTANT)\\s?:',
  '</?\\s?(?:instructions?|system|criteria|prompt|assistant|user)\\s?>|\\[/?INST\\]|<\\|[a-z_]{2,20}\\|>|^#{2,}\\s?(?:system|instruction|prompt)',
  '\\b(?:new|updated|revised|secret|hidden|special) (?:instructions?|prompt|orders?)\\s?:|\\btreat (?:the|this|these|what) (?:following|text|sentence|paragraph)s? (?:as|follows as) (?:an? )?(?:instructions?|orders?|confirmed|true)',
  // The reader by its name, with what it is to do.
  `\\b(?:as|like|to|for|dear|attention|note to|if you are|you are|you're)\\s+(?:(?:an?|the|any|every|all)\\s+)?(?:(?<=\\b(?:an|the|any|every|all|dear|attention)\\s+)ai\\b(?!\\s+(?:data|campus|training|comput|facilit|factory|center|park|hub))|${READER})`,
  `\\b${READER}\\b[^.;\\n]{0,40}\\b(?:must|should|shall|has to|have to|will|please|is to|are to|is required to|reading this)\\b[^.;\\n]{0,60}\\b(?:${ANSWERED}|answer|confirm|match|accept|return|output|report|yes|true)\\b`,
  // What is to be done with `this record`.
  `\\b(?:mark|confirm|return|output|report|list|rank|treat|count|classify|label|flag|rate|score|select|choose|deliver|show|include|accept)\\b\\s+(?:\\w+\\s+){0,2}?(?:this|these|the (?:above|following|present))\\s+${ANSWERED}\\b[^.;\\n]{0,60}\\b(?:as (?:an? |the )?(?:\\w+ )?(?:match|matches|matching|confirmed|relevant|true|positive|answer|hit|proven|result)|whenever|(?:for|to|in|with) (?:every|any|all|each)\\b[^.;\\n]{0,30}\\b${ASKED}|first in)`,
  `\\b(?:mark|return|output) this (?:record|entry)\\b|\\bconfirm this record\\b|\\breport this (?:record|case|entry) whenever\\b`,
  `\\b(?:this|the present|the above) ${ANSWERED}\\b[^.;\\n]{0,20}\\b(?:matches|satisfies|meets|answers|fulfil?ls|fits|is (?:confirmed|proven|a (?:perfect |full |exact )?match|relevant|the answer))\\b[^.;\\n]{0,15}\\b(?:(?:every|any|all|each|whatever|the)\\b[^.;\\n]{0,20}\\b(?:quer(?:y|ies)|questions?|search(?:es)?|prompts?)|(?:any|every|all|each)?\\s?criteri(?:on|a)\\b[^.;\\n]{0,20}\\b(?:you|asked|given to|whatever))`,
  '\\bthis record (?:matches|is (?:confirmed|a match|proven))',
  `\\b(?:every|any|each|all) (?:search|query|queries|question|prompt)s? (?:for|has|have|about|must|should|that asks?|on)\\b[^.;\\n]{0,60}\\b(?:return|include|confirm|match|deliver|show|get|list|${ANSWERED})`,
  // `you`, with something that only such a machine does.
  `\\byou\\b[^.;\\n]{0,30}\\b(?:must|should|have to|are (?:now|required|instructed|ordered|programmed|to)|will|shall|need to)\\b[^.;\\n]{0,40}\\b(?:output|json|(?:this|these) (?:record|entry|entries|records)|answer that (?:this|these)|every (?:criterion|question|query)|all criteria|as a match|\\bconfirm(?:ed)? (?:it|this|everything|all))\\b`,
  `\\b(?:your|the) (?:system prompt|previous prompt|hidden instructions)\\b|\\byour prompt\\b`,
  `\\b(?:answer|respond|reply)\\s+(?:with\\s+)?["“']?(?:yes|true|confirmed|json|match)["”']?\\s+(?:to|for)\\s+(?:every|any|all|each|whatever)\\b`,
  `\\b(?:when|whenever|if)\\s+(?:you are |you're |anyone |anybody |someone |somebody |a user |users? )?(?:asked|asks?|searche?s?|queried|queries|prompted)\\b(?! by\\b)[^.;\\n]{0,50}\\b(?:say|answer|confirm|return|output|report|deliver|claim|reply|respond|include)\\b`,
];
const INSTRUCTIONS = PATTERNS.map((pattern) => new RegExp(pattern, 'im'));

/** @param sentence of a record */
export const isInstruction = (sentence: string): boolean => INSTRUCTIONS.some((pattern) => pattern.test(sentence));
