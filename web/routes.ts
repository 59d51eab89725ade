import { index, layout, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes";
import { type Area } from "#domain/area.ts";
import { routeOfArea } from "#protocol/area-route.ts";

const area = (name: Area, routes: RouteConfigEntry[]) =>
  layout("guards/area.tsx", { id: routeOfArea(name) }, routes);

/**
 * Every URL of Wayfare. An `area` admits one group of people, as `entry()` of domain/area.ts decides; routes outside of
 * any area are public.
 */
export default [
  index("screens/home/home.tsx"),
  route("about-us", "screens/about-us/about-us.tsx"),
  route("about", "screens/about-us/about.tsx"),
  route("meet-the-team", "screens/meet-the-team/meet-the-team.tsx"),
  route("privacy", "screens/legal/privacy.tsx"),
  route("terms", "screens/legal/terms.tsx"),
  route("grading-guide", "screens/auctions/grading-guide.tsx"),
  route("auction-rules", "screens/auctions/auction-rules.tsx"),
  route("verify-email", "screens/verify-email/verify-email.tsx"),
  route("invitation", "screens/invitation/invitation.tsx"),
  route("unsubscribe", "screens/notifications/unsubscribe.tsx"),
  route("explore", "screens/explore/explore.tsx"),
  route("api/docs", "screens/api-docs/api-docs.tsx"),
  route("contact", "screens/contact/contact.tsx"),
  route("programmes", "screens/programmes/programmes.tsx"),
  route("programmes/:slug", "screens/programmes/programme.tsx"),
  route("compare", "screens/programmes/compare.tsx"),
  route("auctions", "screens/auctions/auctions.tsx"),
  route("product/:productId", "screens/auctions/product.tsx"),
  route("reset-password", "screens/reset-password/reset-password.tsx"),

  area("visitor", [route("login", "screens/login/login.tsx"), route("signup", "screens/signup/signup.tsx")]),
  area("signedIn", [
    route("upload-product", "screens/auctions/upload-product.tsx"),
    route("product/:productId/edit", "screens/auctions/edit-product.tsx"),
    route("product-list", "screens/auctions/product-list.tsx"),
    route("my-bids", "screens/auctions/my-bids.tsx"),
    route("notifications", "screens/notifications/notifications.tsx"),
    route("your-data", "screens/your-data/your-data.tsx"),
    route("devices", "screens/devices/devices.tsx"),
  ]),
  area("security", [route("security", "screens/security/security.tsx")]),
  area("student", [
    route("student-dashboard", "screens/student-dashboard/student-dashboard.tsx"),
    route("student-profile", "screens/student-profile/student-profile.tsx"),
    route("who-looked", "screens/who-looked/who-looked.tsx"),
    route("student-documents", "screens/student-documents/student-documents.tsx"),
    route("application", "screens/application/application.tsx"),
  ]),
  area("approvedAgent", [
    route("agent-dashboard", "screens/agent-dashboard/agent-dashboard.tsx"),
    route("agent-profile", "screens/agent-profile/agent-profile.tsx"),
  ]),
  area("waitingAgent", [route("agent-pending", "screens/agent-pending/agent-pending.tsx")]),
  area("manageStudents", [
    route("today", "screens/today/today.tsx"),
    route("manage-students", "screens/manage-students/manage-students.tsx"),
    route("invitations", "screens/invitations/invitations.tsx"),
    route("manage-students/changes", "screens/bulk-runs/bulk-runs.tsx"),
    route("manage-students/changes/:runId", "screens/bulk-runs/bulk-run.tsx"),
    route("offers", "screens/offers/offers.tsx"),
    route("api-keys", "screens/api-keys/api-keys.tsx"),
    route("webhooks", "screens/webhooks/webhooks.tsx"),
  ]),
  area("studentOrStaff", [
    route("shortlist", "screens/shortlist/shortlist.tsx"),
    route("application/:applicationId", "screens/application-page/application-page.tsx"),
    route("messages", "screens/messages/messages.tsx"),
    route("messages/new", "screens/messages/new-thread.tsx"),
    route("messages/:threadId", "screens/messages/thread-page.tsx"),
  ]),
  area("admin", [
    route("admin-dashboard", "screens/admin-dashboard/admin-dashboard.tsx"),
    route("admin/accounts", "screens/admin/accounts.tsx"),
    route("admin/accounts/:userId", "screens/admin/account.tsx"),
    route("admin/reports", "screens/admin/reports.tsx"),
    route("admin/audit", "screens/admin/audit.tsx"),
    route("admin/duplicates", "screens/admin/duplicates.tsx"),
    route("admin/trade-reports", "screens/admin/trade-reports.tsx"),
    route("admin/pairs", "screens/admin/pairs.tsx"),
    route("admin/disputes", "screens/admin/disputes.tsx"),
    route("admin/jobs", "screens/admin/jobs.tsx"),
    route("admin/task-templates", "screens/admin/task-templates.tsx"),
    route("admin/programmes", "screens/admin-programmes/programmes.tsx"),
    route("admin/programmes/:programmeId", "screens/admin-programmes/programme.tsx"),
    route("admin/institutions", "screens/admin-programmes/institutions.tsx"),
    route("admin/programme-tables", "screens/admin-programmes/programme-tables.tsx"),
    route("admin/retention", "screens/admin/retention.tsx"),
  ]),

  route("*", "screens/not-found.tsx"),
] satisfies RouteConfig;
