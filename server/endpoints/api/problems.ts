import { ORPCError } from "@orpc/client";
import { z } from "zod";
import {
  isProblemCode,
  type ProblemAnswer,
  type ProblemCode,
  problemAddress,
  problemStatus,
  problemTitle,
} from "#contract/problem.ts";

/** What an error's data may say beside its code; anything else stays inside. */
const told = z.object({
  field: z.string().optional(),
  retryAfter: z.number().optional(),
  at: z.string().optional(),
  least: z.number().optional(),
  errors: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

/** What a check of the contract found wrong with an input, as oRPC says it. */
const unreadable = z.object({
  issues: z.array(z.object({ message: z.string(), path: z.array(z.unknown()).optional() })),
});

/** A refusal before any procedure, or in one's place. */
export class TransportError extends ORPCError<ProblemCode, unknown> {
  constructor(code: ProblemCode, data?: object) {
    super(code, { status: problemStatus(code), message: problemTitle(code), defined: true, data });
  }
}

/** An input that the contract refuses, by field; null for any other error. */
export function refusedInput(error: unknown): TransportError | null {
  if (!(error instanceof ORPCError) || error.code !== "BAD_REQUEST") return null;
  const { success, data } = unreadable.safeParse(error.data);
  const errors = (success ? data.issues : []).slice(0, 20).map(({ message, path = [] }) => ({
    field: path.map(String).join(".").slice(0, 100),
    detail: message,
  }));
  return new TransportError("invalid-argument", { errors });
}

/** A failure as oRPC writes it. */
export const failure = z.object({
  code: z.string(),
  status: z.number(),
  message: z.string(),
  data: z.unknown(),
});

/** The body of its answer (RFC 9457). */
export function problemOf(
  { code, status, message, data }: z.infer<typeof failure>,
  { baseUrl, requestId }: { baseUrl: string; requestId: string },
): ProblemAnswer {
  const { field, errors, ...more } = told.safeParse(data).data ?? {};
  const byField = errors ?? (field === undefined ? undefined : [{ field, detail: message }]);
  const known = isProblemCode(code) ? code : "internal";
  return {
    type: `${baseUrl}${problemAddress(known)}`,
    title: problemTitle(known),
    status,
    detail: message,
    code: known,
    ...(byField && { errors: byField }),
    requestId,
    ...more,
  };
}
