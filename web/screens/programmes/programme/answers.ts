import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/rpc.ts";
import { useIsStudent } from "../../../lib/viewer.ts";

/** Asks what a student's record answers to a programme. */
export const answersQuery = (programmeId: string, intakeId?: string) =>
  api.programmes.answers.queryOptions({ input: { programmeId, intakeId } });

/** Returns what the student's own record answers, for the former start until it is there; nothing for everybody else. */
export function useAnswers(programmeId: string, intakeId?: string) {
  const isStudent = useIsStudent();
  return useQuery({
    ...answersQuery(programmeId, intakeId),
    enabled: isStudent,
    placeholderData: keepPreviousData,
  });
}
