import { expect, test } from "vitest";
import type { Viewer } from "#contract/account.ts";
import type { Visit } from "../lib/viewer.ts";
import { resolveAccess } from "./access.ts";

const viewer = (account: Pick<Viewer, "role" | "status"> & Partial<Viewer>): Visit => ({
  state: "known",
  viewer: {
    id: "1",
    email: "ada@example.org",
    emailVerified: true,
    firstName: "Ada",
    lastName: "Byron",
    phone: "",
    agency: "",
    lacksSecondFactor: false,
    ...account,
  },
});
const student = viewer({ role: "student", status: "active" });
const visitor: Visit = { state: "known", viewer: null };
const at = (pathname: string, search = "") => ({ pathname, search });

test("sends a visitor to the login screen with the way back", () => {
  expect(resolveAccess("signedIn", visitor, at("/my-bids", "?page=2"))).toEqual({
    kind: "go",
    to: "/login?next=%2Fmy-bids%3Fpage%3D2",
  });
});

test("sends a signed-in person from the login screen to the requested page, never to another site", () => {
  expect(resolveAccess("visitor", student, at("/login", "?next=%2Fmy-bids"))).toEqual({
    kind: "go",
    to: "/my-bids",
  });
  expect(resolveAccess("visitor", student, at("/login", "?next=%2F%2Fevil.example"))).toEqual({
    kind: "go",
    to: "/student-dashboard",
  });
});

test("sends a wrong role to its own dashboard, but calls it unauthorized at the admin's", () => {
  expect(resolveAccess("approvedAgent", student, at("/agent-dashboard"))).toEqual({
    kind: "go",
    to: "/student-dashboard",
  });
  expect(resolveAccess("admin", student, at("/admin-dashboard"))).toEqual({ kind: "unauthorized" });
  const waiting = viewer({ role: "agent", status: "pending" });
  expect(resolveAccess("approvedAgent", waiting, at("/agent-dashboard"))).toEqual({
    kind: "go",
    to: "/agent-pending",
  });
});

test("redirects nobody before the server has answered", () => {
  expect(resolveAccess("student", { state: "unknown", hint: "student" }, at("/application")).kind).toBe(
    "wait",
  );
  expect(resolveAccess("visitor", { state: "unknown", hint: null }, at("/login")).kind).toBe("enter");
  expect(resolveAccess("visitor", { state: "unknown", hint: "agent" }, at("/login")).kind).toBe("wait");
});

test("turns a failed query for the viewer into an error to retry, not a redirect", () => {
  const failed: Visit = { state: "failed", error: new Error("x"), retry: () => {} };
  expect(resolveAccess("student", failed, at("/application")).kind).toBe("failed");
});

test("sends a person without a required second factor to the page that sets it up, and lets them stay", () => {
  const lacking = viewer({ role: "admin", status: "active", lacksSecondFactor: true });
  expect(resolveAccess("admin", lacking, at("/admin-dashboard"))).toEqual({ kind: "go", to: "/security" });
  expect(resolveAccess("visitor", lacking, at("/login", "?next=%2Fmy-bids"))).toEqual({
    kind: "go",
    to: "/security",
  });
  expect(resolveAccess("security", lacking, at("/security"))).toEqual({ kind: "enter" });
});
