/** The types of tools, and of the API that they call. */
import type { Operations } from '../client/index.ts';
import type { ToolAnswer } from './answer.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The limit to which the user agreed before a call; 0 credits without consent. */
export interface Agreed {
  /** highest price of each request; the service refuses to charge more */
  maxCredits: number;
  /** makes a repeated call charge once */
  idempotencyKey?: string;
}

/** Calls operations of the API, in this process or another. @throws Refusal, ConnectionFailure */
export interface Operator {
  ask<Id extends keyof Operations>(id: Id, input: Arguments, agreed: Agreed): Promise<Operations[Id]['answer']>;
}

/** The API for tools, with the agreed limit already applied. @throws Refusal, ConnectionFailure */
export interface ToolApi {
  ask<Id extends keyof Operations>(id: Id, input: Arguments): Promise<Operations[Id]['answer']>;
}

export const boundApi = (operator: Operator, agreed: Agreed): ToolApi => ({ ask: (id, input) => operator.ask(id, input, agreed) });

/** JSON Schema that every model takes: one type a value, typed enumerations, no unnamed fields. */
export interface InputSchema {
  readonly type?: string | undefined;
  readonly properties?: Readonly<Record<string, InputSchema>> | undefined;
  readonly items?: InputSchema | undefined;
  readonly [keyword: string]: unknown;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of its arguments' properties */
  properties: Readonly<Record<string, InputSchema>>;
  required?: readonly string[];
  /** whether a call makes something that stays */
  writes?: true;
  /** whether a call may spend; such tools can be called by `accept_quote` */
  spends?: boolean;
  /** the highest price of a call, for a tool that is quoted on every plan since it uses an allowance */
  alwaysQuoted?(api: ToolApi, given: Arguments): Promise<ToolPrice>;
  /** the arguments to which a quote is bound; all by default */
  bound?(given: Arguments): Arguments;
  call(api: ToolApi, given: Arguments): Promise<ToolAnswer>;
}

/** The highest price of a call. */
export interface ToolPrice {
  credits: number;
  /** look-ups of the contacts allowance */
  lookUps?: number;
  /** remaining look-ups; absent if the plan has no limit */
  lookUpsLeft?: number;
}

export const inputSchemaOf = ({ properties, required = [] }: Pick<Tool, 'properties' | 'required'>) => ({
  type: 'object' as const,
  properties,
  ...(required.length ? { required: [...required] } : {}),
  additionalProperties: false,
});
