import type { Viewer } from "#contract/account.ts";
import type { StudentRow } from "#contract/students.ts";
import { isResponsibleFor, mayAssign } from "#domain/permission.ts";

const assigned = ({ id, agent }: StudentRow) => ({ id, assignedAgentId: agent?.id ?? null });

/** What the server will say, asked ahead: whether to offer to assign, and to show identity details. */
export const mayReassign = (viewer: Viewer, student: StudentRow): boolean =>
  mayAssign(viewer, assigned(student));
export const isResponsible = (viewer: Viewer, student: StudentRow): boolean =>
  isResponsibleFor(viewer, assigned(student));
