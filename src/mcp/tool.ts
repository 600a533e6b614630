/** What a tool is, and what it may ask. */
import type { Operations } from '../client/index.ts';
import type { ToolAnswer } from './answer.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The operations of the API, in another process or in this one. @throws Refusal, ConnectionFailure */
export interface Api {
  ask<Id extends keyof Operations>(id: Id, input: Arguments, idempotencyKey?: string): Promise<Operations[Id]['answer']>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** properties of its arguments, JSON Schema; those of `required` have to be there */
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
  /** false where it does more than read */
  readOnly: boolean;
  /** credits that a call would cost at most; absent where it is free for everybody */
  price?(api: Api, given: Arguments): Promise<number>;
  /** the arguments that a quote is bound to; all unless given */
  bound?(given: Arguments): Arguments;
  /** @param idempotencyKey of a spend that was agreed to, @param credits what it may cost */
  call(api: Api, given: Arguments, agreed?: { idempotencyKey: string; credits: number }): Promise<ToolAnswer>;
}

export const inputSchemaOf = ({ properties, required = [] }: Pick<Tool, 'properties' | 'required'>) => ({
  type: 'object' as const,
  properties,
  ...(required.length ? { required: [...required] } : {}),
  additionalProperties: false,
});
