import type { Operation } from "#contract/operations.ts";
import {
  type ProblemCode,
  problemAddress,
  problemMeaning,
  problemStatus,
  problemTitle,
} from "#contract/problem.ts";
import { always, type HeaderName, headersNamed } from "./described-headers.ts";

const headersOfStatus: Record<number, HeaderName> = { 401: "WWW-Authenticate", 429: "Retry-After" };
/** Returns a code in the form that OpenAPI allows for a component's name. */
export const exampleName = (code: ProblemCode): string => code.replace("/", "-");

export const exampleOfProblem = (code: ProblemCode, baseUrl: string) => ({
  value: {
    type: `${baseUrl}${problemAddress(code)}`,
    title: problemTitle(code),
    status: problemStatus(code),
    detail: problemMeaning(code),
    code,
    requestId: "0b6f3f5e-6a3c-4d55-9a53-3b7f8a1c2d4e",
  },
});

/** Returns the response for all failures of one status. */
function failureResponse(status: number, codes: readonly ProblemCode[]) {
  const more = headersOfStatus[status];
  return {
    description: codes.map((code) => `\`${code}\`: ${problemMeaning(code)}`).join("\n\n"),
    headers: headersNamed(more ? [...always, more] : always),
    content: {
      "application/problem+json": {
        schema: {
          $ref: "#/components/schemas/Problem",
          properties: { code: { enum: codes }, status: { const: status } },
        },
        examples: Object.fromEntries(
          codes.map((code) => [exampleName(code), { $ref: `#/components/examples/${exampleName(code)}` }]),
        ),
      },
    },
  };
}

export function failuresOf({ codes }: Operation) {
  const byStatus = Map.groupBy(codes, problemStatus);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([one], [other]) => one - other)
      .map(([status, group]) => [String(status), failureResponse(status, group)]),
  );
}
