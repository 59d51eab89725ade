import type { Role } from "#domain/account.ts";

export type MenuEntry = { label: string; to: string };

/** For everyone. */
export const publicEntries: readonly MenuEntry[] = [
  { label: "About Us", to: "/about-us" },
  { label: "Meet the Team", to: "/meet-the-team" },
  { label: "Auctions", to: "/auctions" },
];

export const visitorEntries: readonly MenuEntry[] = [
  { label: "Login", to: "/login" },
  { label: "Sign Up", to: "/signup" },
];

/** For everyone signed in, after what their role brings. */
const memberEntries: readonly MenuEntry[] = [
  { label: "My bids", to: "/my-bids" },
  { label: "Login and security", to: "/security" },
  { label: "Your data", to: "/your-data" },
];

/** What the dropdown under the email offers, besides Logout; the dashboard first. A waiting agent's is the waiting page. */
export const accountEntries: Record<Role, readonly [MenuEntry, ...MenuEntry[]]> = {
  agent: [
    { label: "Dashboard", to: "/agent-dashboard" },
    { label: "Upload Product", to: "/upload-product" },
    { label: "View Products", to: "/product-list" },
    ...memberEntries,
    { label: "Webhooks", to: "/webhooks" },
  ],
  student: [
    { label: "Dashboard", to: "/student-dashboard" },
    { label: "Edit Profile", to: "/student-profile" },
    ...memberEntries,
  ],
  admin: [
    { label: "Dashboard", to: "/admin-dashboard" },
    { label: "Manage Students", to: "/manage-students" },
    ...memberEntries,
    { label: "Webhooks", to: "/webhooks" },
  ],
};

/** The sidebar names the dashboard by its role. */
export const dashboardLabels: Record<Role, string> = {
  agent: "Agent Dashboard",
  student: "Student Dashboard",
  admin: "Admin Dashboard",
};
