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
  /** false where it does more than read */
  readOnly: boolean;
  /** true where a call may spend: what `accept_quote` takes */
  spends?: boolean;
  /** credits that a call costs at most, of a tool that is quoted on every plan, since it takes some of an allowance */
  alwaysQuoted?(api: ToolApi, given: Arguments): Promise<number>;
  /** the arguments that a quote is bound to; all unless given */
  bound?(given: Arguments): Arguments;
  call(api: ToolApi, given: Arguments): Promise<ToolAnswer>;
}

export const inputSchemaOf = ({ properties, required = [] }: Pick<Tool, 'properties' | 'required'>) => ({
  type: 'object' as const,
  properties,
  ...(required.length ? { required: [...required] } : {}),
  additionalProperties: false,
});
