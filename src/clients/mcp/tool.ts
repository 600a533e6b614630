/** What a tool is, and what it may ask. */
import type { Operations } from '../client/index.ts';
import type { ToolAnswer } from './answer.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** What was agreed to before a call: 0 credits where nobody was asked. */
export interface Agreed {
  /** what each request of the call may cost at most; the service refuses to charge more */
  maxCredits: number;
  /** of the spend: a second use is a repetition */
  idempotencyKey?: string;
}

/** The operations of the API, in another process or in this one. @throws Refusal, ConnectionFailure */
export interface Operator {
  ask<Id extends keyof Operations>(id: Id, input: Arguments, agreed: Agreed): Promise<Operations[Id]['answer']>;
}

/** The same as tools have it: what was agreed to is settled before they are called. @throws Refusal, ConnectionFailure */
export interface ToolApi {
  ask<Id extends keyof Operations>(id: Id, input: Arguments): Promise<Operations[Id]['answer']>;
}

export const boundApi = (operator: Operator, agreed: Agreed): ToolApi => ({ ask: (id, input) => operator.ask(id, input, agreed) });

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** properties of its arguments, JSON Schema; those of `required` have to be there */
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
  /** fields of what it answers, JSON Schema; a quote and notes are added where it has them */
  answers: Readonly<Record<string, object>>;
  /** false where it does more than read */
  readOnly: boolean;
  /** true where a call may spend: what `accept_quote` takes */
  spends?: boolean;
  /** what a call takes at most, of a tool that is quoted on every plan, since it takes some of an allowance */
  alwaysQuoted?(api: ToolApi, given: Arguments): Promise<ToolPrice>;
  /** the arguments that a quote is bound to; all unless given */
  bound?(given: Arguments): Arguments;
  call(api: ToolApi, given: Arguments): Promise<ToolAnswer>;
}

/** What a call takes at most. */
export interface ToolPrice {
  credits: number;
  /** look-ups of contacts out of the allowance */
  lookUps?: number;
  /** those that are left of it; absent where the plan has no bound */
  lookUpsLeft?: number;
}

export const inputSchemaOf = ({ properties, required = [] }: Pick<Tool, 'properties' | 'required'>) => ({
  type: 'object' as const,
  properties,
  ...(required.length ? { required: [...required] } : {}),
  additionalProperties: false,
});

const NOTES = { type: 'array', items: { type: 'string' } };
const QUOTE = {
  type: 'object',
  description: 'Nothing was done: what the call would take, and the id that accept_quote takes',
  properties: {
    quoteId: { type: 'string' },
    credits: { type: 'integer' },
    lookUps: { type: 'integer' },
    lookUpsLeft: { type: 'integer' },
    expiresAt: { type: 'string' },
  },
};

/** No field is required: empty ones are left out, and a quote has none of them. */
export const outputSchemaOf = (answers: Tool['answers'], spends = false) => ({
  type: 'object' as const,
  properties: { ...answers, notes: NOTES, ...(spends ? { quote: QUOTE, next: { type: 'string' }, call: { type: 'object' } } : {}) },
});
