import { z } from "zod";
import { innerOf } from "#tests/access/input-fields.ts";

/** Existing ids by the field that names them; any other identifier is the item's. */
export type SubjectIds = { productId: string; studentId: string };

/** Returns a valid input, with a word in its texts, or at the beginning of a list. */
export function plainInput(schema: z.core.$ZodType, ids: SubjectIds, word: string, key = ""): unknown {
  const inner = innerOf(schema);
  if (inner) return plainInput(inner, ids, word, key);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.def.shape).filter(
      ([name, value]) => name !== "cursor" && !(innerOf(value) instanceof z.ZodDate),
    );
    return Object.fromEntries(fields.map(([name, value]) => [name, plainInput(value, ids, word, name)]));
  }
  if (schema instanceof z.ZodArray) return [plainInput(schema.def.element, ids, word, key)];
  if (schema instanceof z.ZodUUID) return ids.productId;
  if (schema instanceof z.ZodString) {
    if (key === "studentId") return ids.studentId;
    return key === "email" ? "lamp@example.org" : word;
  }
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodBoolean) return true;
  return {};
}

export const hasText = (value: unknown): boolean =>
  typeof value === "string" ||
  (typeof value === "object" && value !== null && Object.values(value).some(hasText));
