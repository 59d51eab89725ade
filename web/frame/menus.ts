import type { Role } from "#domain/account.ts";
import type { Member } from "../lib/viewer.ts";

/** `isForApproved`: hidden from agents who wait for approval, because its page would redirect them. */
export type MenuEntry = { label: string; to: string; isForApproved?: true };

/** Entries for everyone. */
export const publicEntries: readonly MenuEntry[] = [
  { label: "About Us", to: "/about-us" },
  { label: "Meet the Team", to: "/meet-the-team" },
  { label: "Programmes", to: "/programmes" },
  { label: "Auctions", to: "/auctions" },
];

export const visitorEntries: readonly MenuEntry[] = [
  { label: "Login", to: "/login" },
  { label: "Sign Up", to: "/signup" },
];

/** Entries for every member, after those of their role. */
const memberEntries: readonly MenuEntry[] = [
  { label: "My bids", to: "/my-bids" },
  { label: "Login and security", to: "/security" },
  { label: "Your data", to: "/your-data" },
];

const messages: MenuEntry = { label: "Messages", to: "/messages", isForApproved: true };
const today: MenuEntry = { label: "Today", to: "/today", isForApproved: true };
const invitations: MenuEntry = { label: "Invitations", to: "/invitations", isForApproved: true };
const webhooks: MenuEntry = { label: "Webhooks", to: "/webhooks", isForApproved: true };

/**
 * The dropdown under the email, without Logout. The dashboard comes first; a waiting agent gets the waiting page
 * instead.
 */
const accountEntries: Record<Role, readonly [MenuEntry, ...MenuEntry[]]> = {
  agent: [
    { label: "Dashboard", to: "/agent-dashboard" },
    today,
    messages,
    { label: "Upload Product", to: "/upload-product" },
    { label: "View Products", to: "/product-list" },
    invitations,
    ...memberEntries,
    webhooks,
  ],
  student: [
    { label: "Dashboard", to: "/student-dashboard" },
    messages,
    { label: "Edit Profile", to: "/student-profile" },
    ...memberEntries,
  ],
  admin: [
    { label: "Dashboard", to: "/admin-dashboard" },
    today,
    { label: "Manage Students", to: "/manage-students" },
    { label: "Catalogue", to: "/admin/programmes" },
    messages,
    invitations,
    ...memberEntries,
    webhooks,
  ],
};

/** Returns a member's entries, the dashboard first. */
export function entriesOf({ role, status }: Member): readonly [MenuEntry, ...MenuEntry[]] {
  const [dashboard, ...others] = accountEntries[role];
  return [dashboard, ...others.filter(({ isForApproved }) => !isForApproved || status !== "pending")];
}

/** The dashboard's name in the sidebar, by role. */
export const dashboardLabels: Record<Role, string> = {
  agent: "Agent Dashboard",
  student: "Student Dashboard",
  admin: "Admin Dashboard",
};
