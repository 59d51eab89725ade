import { z } from "zod";

const cost = z.object({ N: z.number(), r: z.number(), p: z.number() });
/** scrypt's parameters: memory is 128 × N × r bytes, work is N × r × p. */
export type Cost = z.infer<typeof cost>;

/** Asks for one key a cost, of the same password and salt. */
export const task = z.object({
  number: z.number(),
  password: z.string(),
  salt: z.string(),
  costs: z.array(cost),
});
export type Task = z.infer<typeof task>;

/** The keys in hexadecimal digits. */
export const result = z.object({ number: z.number(), keys: z.array(z.string()) });
export type Result = z.infer<typeof result>;
