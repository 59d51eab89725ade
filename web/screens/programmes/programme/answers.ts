import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/rpc.ts";
import { useIsStudent } from "../../../lib/viewer.ts";

/** Queries the answers of a student's record to a programme. */
export const answersQuery = (programmeId: string, intakeId?: string) =>
  api.programmes.answers.queryOptions({ input: { programmeId, intakeId } });

/** Returns the answers of the student's record, those for the former start until they arrive; none for others. */
export function useAnswers(programmeId: string, intakeId?: string) {
  const isStudent = useIsStudent();
  return useQuery({
    ...answersQuery(programmeId, intakeId),
    enabled: isStudent,
    placeholderData: keepPreviousData,
  });
}
