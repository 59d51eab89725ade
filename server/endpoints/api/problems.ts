import { ORPCError } from "@orpc/client";
import { z } from "zod";
import {
  isProblemCode,
  type ProblemAnswer,
  type ProblemCode,
  problemAddress,
  problemMeaning,
  problemStatus,
  problemTitle,
} from "#contract/problem.ts";

/** The only data of an error that is sent. */
const exposed = z.object({
  field: z.string().optional(),
  retryAfter: z.number().optional(),
  at: z.string().optional(),
  least: z.number().optional(),
  errors: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

/** How oRPC reports an input that the contract refuses. */
const inputIssues = z.object({
  issues: z.array(z.object({ message: z.string(), path: z.array(z.unknown()).optional() })),
});

/** A refusal that no procedure has made. */
export class TransportError extends ORPCError<ProblemCode, unknown> {
  constructor(code: ProblemCode, data?: object, message = problemMeaning(code)) {
    super(code, { status: problemStatus(code), message, defined: true, data });
  }
}

type FieldProblem = { field: string; detail: string };

/** The refusal of an input by what is wrong with which field. */
export function invalidInput(errors: readonly FieldProblem[]): TransportError {
  const [first] = errors;
  return new TransportError("invalid-argument", { errors }, first && `${first.field}: ${first.detail}`);
}

/** The refusal of an input that breaks the contract, by field; null for any other error. */
export function refusedInput(error: unknown): TransportError | null {
  if (!(error instanceof ORPCError) || error.code !== "BAD_REQUEST") return null;
  const { success, data } = inputIssues.safeParse(error.data);
  const errors = (success ? data.issues : []).slice(0, 20).map(({ message, path = [] }) => ({
    field: path.map(String).join(".").slice(0, 100),
    detail: message,
  }));
  return invalidInput(errors);
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
  const { field, errors, ...more } = exposed.safeParse(data).data ?? {};
  const byField = errors ?? (field === undefined ? undefined : [{ field, detail: message }]);
  const problemCode = isProblemCode(code) ? code : "internal";
  return {
    type: `${baseUrl}${problemAddress(problemCode)}`,
    title: problemTitle(problemCode),
    status,
    detail: message,
    code: problemCode,
    ...(byField && { errors: byField }),
    requestId,
    ...more,
  };
}
