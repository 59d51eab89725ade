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

test("a visitor goes to the login screen and finds the way back", () => {
  expect(resolveAccess("signedIn", visitor, at("/my-bids", "?page=2"))).toEqual({
    kind: "go",
    to: "/login?next=%2Fmy-bids%3Fpage%3D2",
  });
});

test("somebody signed in leaves the login screen for what they asked for, never for another site", () => {
  expect(resolveAccess("visitor", student, at("/login", "?next=%2Fmy-bids"))).toEqual({
    kind: "go",
    to: "/my-bids",
  });
  expect(resolveAccess("visitor", student, at("/login", "?next=%2F%2Fevil.example"))).toEqual({
    kind: "go",
    to: "/student-dashboard",
  });
});

test("a wrong role goes to its own dashboard, and learns it at the admin's", () => {
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

test("nobody is sent anywhere before the server has spoken", () => {
  expect(resolveAccess("student", { state: "unknown", hint: "student" }, at("/application")).kind).toBe(
    "wait",
  );
  expect(resolveAccess("visitor", { state: "unknown", hint: null }, at("/login")).kind).toBe("enter");
  expect(resolveAccess("visitor", { state: "unknown", hint: "agent" }, at("/login")).kind).toBe("wait");
});

test("a failed question about the viewer is an error to retry, not a redirect", () => {
  const failed: Visit = { state: "failed", error: new Error("x"), retry: () => {} };
  expect(resolveAccess("student", failed, at("/application")).kind).toBe("failed");
});

test("somebody without a required second factor is led to where it is set up, and stays there", () => {
  const lacking = viewer({ role: "admin", status: "active", lacksSecondFactor: true });
  expect(resolveAccess("admin", lacking, at("/admin-dashboard"))).toEqual({ kind: "go", to: "/security" });
  expect(resolveAccess("visitor", lacking, at("/login", "?next=%2Fmy-bids"))).toEqual({
    kind: "go",
    to: "/security",
  });
  expect(resolveAccess("security", lacking, at("/security"))).toEqual({ kind: "enter" });
});
