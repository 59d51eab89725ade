import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/**
 * Every URL of Wayfare. A `layout("guards/…")` admits one part of the site's people, as `entry()` of
 * domain/area.ts decides; what stands outside of one is public. `frame/with-mantine.tsx` stands around the screens
 * that use Mantine's parts; the others, which most first visits are to, load nothing of it.
 */
export default [
  index("screens/home/home.tsx"),
  route("about-us", "screens/about-us/about-us.tsx"),
  route("about", "screens/about-us/about.tsx"),
  route("meet-the-team", "screens/meet-the-team/meet-the-team.tsx"),
  route("privacy", "screens/legal/privacy.tsx"),
  route("terms", "screens/legal/terms.tsx"),
  route("grading-guide", "screens/auctions/grading-guide.tsx"),
  route("verify-email", "screens/verify-email/verify-email.tsx"),
  layout("frame/with-mantine.tsx", [
    route("explore", "screens/explore/explore.tsx"),
    route("contact", "screens/contact/contact.tsx"),
    route("auctions", "screens/auctions/auctions.tsx"),
    route("product/:productId", "screens/auctions/product.tsx"),
    route("reset-password", "screens/reset-password/reset-password.tsx"),

    layout("guards/visitor.tsx", [
      route("login", "screens/login/login.tsx"),
      route("signup", "screens/signup/signup.tsx"),
    ]),
    layout("guards/signed-in.tsx", [
      route("upload-product", "screens/auctions/upload-product.tsx"),
      route("product-list", "screens/auctions/product-list.tsx"),
      route("my-bids", "screens/auctions/my-bids.tsx"),
      route("notifications", "screens/notifications/notifications.tsx"),
    ]),
    layout("guards/student.tsx", [
      route("student-dashboard", "screens/student-dashboard/student-dashboard.tsx"),
      route("student-profile", "screens/student-profile/student-profile.tsx"),
      route("student-documents", "screens/student-documents/student-documents.tsx"),
      route("application", "screens/application/application.tsx"),
    ]),
    layout("guards/approved-agent.tsx", [
      route("agent-dashboard", "screens/agent-dashboard/agent-dashboard.tsx"),
      route("agent-profile", "screens/agent-profile/agent-profile.tsx"),
    ]),
    layout("guards/waiting-agent.tsx", [route("agent-pending", "screens/agent-pending/agent-pending.tsx")]),
    layout("guards/manage-students.tsx", [
      route("manage-students", "screens/manage-students/manage-students.tsx"),
    ]),
    layout("guards/shortlist.tsx", [route("shortlist", "screens/shortlist/shortlist.tsx")]),
    layout("guards/admin.tsx", [route("admin-dashboard", "screens/admin-dashboard/admin-dashboard.tsx")]),
  ]),

  // No address of its own: the server sends it with status 500.
  route("500", "screens/server-error.tsx"),
  route("*", "screens/not-found.tsx"),
] satisfies RouteConfig;
