import { traverseContractProcedures } from "@orpc/server";
import { z } from "zod";
import { type Access, id, onlyReads } from "#contract/base.ts";
import { contract } from "#contract/index.ts";

/** A procedure of the contract, as tests see it. */
export type ContractProcedure = {
  path: string;
  input: z.ZodType | null;
  codes: string[];
  access: Access;
  reads: boolean;
};

export function contractProcedures(): ContractProcedure[] {
  const procedures: ContractProcedure[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    const { inputSchema, errorMap, meta, route } = procedure["~orpc"];
    const access: Access = meta;
    const input = inputSchema instanceof z.ZodType ? inputSchema : null;
    const reads = onlyReads(access, route);
    procedures.push({ path: path.join("."), input, codes: Object.keys(errorMap), access, reads });
  });
  return procedures;
}

/** Returns the schema inside an optional, nullable or default one; null for any other schema. */
export function innerOf(schema: z.core.$ZodType): z.core.$ZodType | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schema.def.innerType;
  if (schema instanceof z.ZodDefault) return schema.def.innerType;
  return null;
}

/** A value of an input, named by its path: `ids[]` is an element of a list. */
export type InputField = { name: string; schema: z.core.$ZodType };

/** Returns every value that an input can contain, at any depth. */
export function inputFields(schema: z.core.$ZodType | null, name = ""): InputField[] {
  if (schema === null) return [];
  const inner = innerOf(schema);
  if (inner) return inputFields(inner, name);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.def.shape).flatMap(([key, value]) =>
      inputFields(value, name === "" ? key : `${name}.${key}`),
    );
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const fields = schema.def.options.flatMap((option) => inputFields(option, name));
    return [...new Map(fields.map((field) => [field.name, field])).values()];
  }
  if (schema instanceof z.ZodArray) return inputFields(schema.def.element, `${name}[]`);
  if (schema instanceof z.ZodRecord) return inputFields(schema.def.valueType, `${name}.*`);
  return [{ name, schema }];
}

/** Names of fields that identify a thing: an id, the number of an entry, a key, a token. */
const namesThing = /(^|\.)(id|ids|images|upTo|token|key)(\[\])?$|(Id|Ids|Key|Token)(\[\])?$/;

export const isIdentifier = ({ name, schema }: InputField): boolean =>
  schema === id || schema instanceof z.ZodUUID || schema instanceof z.ZodGUID || namesThing.test(name);
