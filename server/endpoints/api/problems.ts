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
import { currentRequestId, setRetryAfter } from "../json.ts";

/** The only data of an error that is sent. */
const exposed = z.object({
  field: z.string().optional(),
  retryAfter: z.number().optional(),
  at: z
    .date()
    .transform((time) => time.toISOString())
    .optional(),
  least: z.number().optional(),
  errors: z.array(z.object({ field: z.string(), detail: z.string() })).optional(),
});

/** Form in which oRPC reports an input that the contract refuses. */
const inputIssues = z.object({
  issues: z.array(z.object({ message: z.string(), path: z.array(z.unknown()).optional() })),
});

/**
 * A refusal from outside the procedures. It isn't an ORPCError itself, because oRPC withdraws those that the
 * procedure's contract doesn't declare.
 */
export class ApiRefusal extends Error {
  readonly answer: ORPCError<ProblemCode, unknown>;

  constructor(code: ProblemCode, data?: object, message = problemMeaning(code)) {
    super(message);
    this.answer = new ORPCError(code, { status: problemStatus(code), message, defined: true, data });
  }
}

type FieldProblem = { field: string; detail: string };

/** Returns the refusal of an input with its problems by field. */
export function invalidInput(errors: readonly FieldProblem[]): ApiRefusal {
  const [first] = errors;
  return new ApiRefusal("invalid-argument", { errors }, first && `${first.field}: ${first.detail}`);
}

/** Returns the refusal of an input that breaks the contract, by field. */
function refusedInput({ data }: ORPCError<string, unknown>): ApiRefusal {
  const result = inputIssues.safeParse(data);
  const errors = (result.success ? result.data.issues : []).slice(0, 20).map(({ message, path = [] }) => ({
    field: path.map(String).join(".").slice(0, 100),
    detail: message,
  }));
  return invalidInput(errors);
}

/** Returns the answer to a refusal of this interface; null for any other error. */
export function refusalOf(error: unknown): ORPCError<string, unknown> | null {
  if (error instanceof ApiRefusal) return error.answer;
  return error instanceof ORPCError && error.code === "BAD_REQUEST" ? refusedInput(error).answer : null;
}

/** The WWW-Authenticate header of a 401, by code (RFC 6750). */
const challenges: Record<string, string> = {
  "invalid-api-key": 'Bearer realm="Wayfare", error="invalid_token"',
};

/** Sets the headers of an error's answer. */
export function announce(error: ORPCError<string, unknown>, headers: Headers): void {
  setRetryAfter(error, headers);
  if (error.status === 401)
    headers.set("www-authenticate", challenges[error.code] ?? 'Bearer realm="Wayfare"');
}

/** Returns the body of an error's answer (RFC 9457). */
export function problemOf(
  { code, status, message, data }: ORPCError<string, unknown>,
  baseUrl: string,
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
    requestId: currentRequestId() ?? "",
    ...more,
  };
}
