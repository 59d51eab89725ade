import type { Role } from "#domain/account.ts";

export type MenuEntry = { label: string; to: string };

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

const messages: MenuEntry = { label: "Messages", to: "/messages" };

/**
 * The dropdown under the email, without Logout. The dashboard comes first; a waiting agent gets the waiting page
 * instead.
 */
export const accountEntries: Record<Role, readonly [MenuEntry, ...MenuEntry[]]> = {
  agent: [
    { label: "Dashboard", to: "/agent-dashboard" },
    { label: "Today", to: "/today" },
    messages,
    { label: "Upload Product", to: "/upload-product" },
    { label: "View Products", to: "/product-list" },
    { label: "Invitations", to: "/invitations" },
    ...memberEntries,
    { label: "Webhooks", to: "/webhooks" },
  ],
  student: [
    { label: "Dashboard", to: "/student-dashboard" },
    messages,
    { label: "Edit Profile", to: "/student-profile" },
    ...memberEntries,
  ],
  admin: [
    { label: "Dashboard", to: "/admin-dashboard" },
    { label: "Today", to: "/today" },
    { label: "Manage Students", to: "/manage-students" },
    { label: "Catalogue", to: "/admin/programmes" },
    messages,
    { label: "Invitations", to: "/invitations" },
    ...memberEntries,
    { label: "Webhooks", to: "/webhooks" },
  ],
};

/** The dashboard's name in the sidebar, by role. */
export const dashboardLabels: Record<Role, string> = {
  agent: "Agent Dashboard",
  student: "Student Dashboard",
  admin: "Admin Dashboard",
};
