import type { Viewer } from "#contract/account.ts";
import type { StudentRow } from "#contract/students.ts";
import { isResponsibleFor, mayAssign } from "#domain/permission.ts";

const guided = ({ id, agent }: StudentRow) => ({ id, assignedAgentId: agent?.id ?? null });

/** What the server will say, asked ahead: whether to offer to assign, and to show identity details. */
export const mayReassign = (viewer: Viewer, student: StudentRow): boolean =>
  mayAssign(viewer, guided(student));
export const isGuide = (viewer: Viewer, student: StudentRow): boolean =>
  isResponsibleFor(viewer, guided(student));
