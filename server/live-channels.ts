import { type DashboardSubject, dashboardEvent } from "#protocol/live-topic.ts";
import type { Transaction } from "#server/platform/database.ts";
import type { Live } from "#server/platform/live.ts";

/** Channel for everyone who manages students: something about one of them changed. */
export const studentsChannel = "students";
export const conversationsChannel = (userId: string): string => `conversations:${userId}`;
export const dashboardChannel = (userId: string): string => `dashboard:${userId}`;

/** Broadcasts what changed on the dashboards of these students and agents, and in everyone's list of students. */
export async function broadcastDashboards(
  { live }: { live: Live },
  tx: Transaction,
  about: DashboardSubject,
  ...userIds: (string | null)[]
): Promise<void> {
  const people = [...new Set(userIds)].filter((id) => id !== null);
  await live.publishTo([...people.map(dashboardChannel), studentsChannel], dashboardEvent(about), tx);
}
