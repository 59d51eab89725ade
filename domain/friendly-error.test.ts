import { describe, expect, test } from "vitest";
import { catalogue, messageOf } from "./error-catalogue.ts";
import { friendlyError } from "./friendly-error.ts";

/** The fixed sentences of docs/product.md, "When something fails". */
const fixed: Record<string, string> = {
  "auth/user-not-found":
    "No account found with this email address. Please check your email or sign up for a new account.",
  "auth/wrong-password": "Incorrect password. Please check your password and try again.",
  "auth/invalid-email": "Please enter a valid email address.",
  "auth/user-disabled": "This account has been disabled. Please contact support for assistance.",
  "auth/too-many-requests": "Too many failed login attempts. Please try again later or reset your password.",
  "auth/network-request-failed": "Network error. Please check your internet connection and try again.",
  "auth/email-already-in-use": "An account with this email already exists. Please try logging in instead.",
  "auth/weak-password": "Password is too weak. Please choose a stronger password with at least 6 characters.",
  "auth/requires-recent-login": "This operation requires recent authentication. Please log in again.",
  "auth/invalid-credential": "Invalid credentials. Please check your email and password.",
  "auth/operation-not-allowed": "This operation is not allowed. Please contact support.",
};
const codesWithOwnMessage = [
  "auth/invalid-verification-code",
  "auth/invalid-verification-id",
  "permission-denied",
  "unavailable",
  "not-found",
  "already-exists",
  "cancelled",
  "data-loss",
  "deadline-exceeded",
  "failed-precondition",
  "internal",
  "invalid-argument",
  "out-of-range",
  "resource-exhausted",
  "unauthenticated",
];

test.each(Object.entries(fixed))("%s has its fixed message", (code, message) => {
  expect(friendlyError({ code, message: "" })).toEqual({ code, message });
});
test.each(codesWithOwnMessage)("%s has a message of its own", (code) => {
  expect(
    Object.entries(catalogue).filter(([, message]) => message === friendlyError({ code }).message),
  ).toHaveLength(1);
});

describe("the defaults", () => {
  test("apply without an error", () => {
    for (const nothing of [null, undefined])
      expect(friendlyError(nothing)).toEqual({ message: "An unknown error occurred.", code: null });
  });
  test("keep an error's own message, but no code that is not in the catalogue", () => {
    expect(friendlyError(new Error("The tide is out."))).toEqual({ message: "The tide is out.", code: null });
    expect(friendlyError({ code: "E42", message: "Odd." })).toEqual({ message: "Odd.", code: null });
    expect(
      friendlyError({ code: "form/incomplete", message: "Please enter your first name." }).code,
    ).toBeNull();
  });
  test("apply to an error without a message", () => {
    for (const odd of [{}, 42, "", new Error(), { code: "toString" }, { message: 7 }])
      expect(friendlyError(odd)).toEqual({
        message: "An unexpected error occurred. Please try again.",
        code: null,
      });
  });
});

test("no message is empty or has an exclamation mark", () => {
  for (const message of Object.values(messageOf)) expect(message).toMatch(/^[^!]+\.$/);
});

test("a failure on our side names its request", () => {
  const error = { code: "internal", data: { requestId: "r-1" } };
  expect(friendlyError(error)).toEqual({ message: messageOf.internal, code: "internal", requestId: "r-1" });
  expect(friendlyError({ code: "internal", data: { requestId: 1 } })).not.toHaveProperty("requestId");
});
