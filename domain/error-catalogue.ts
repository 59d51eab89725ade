/** The codes that the error modal shows, with their friendly messages. */
export const catalogue = {
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
  "auth/invalid-verification-code": "This code isn't valid. Please check it and try again.",
  "auth/invalid-verification-id": "This verification is no longer valid. Please start again.",
  "auth/invalid-action-code": "This link has expired or has already been used. Please request a new one.",
  "permission-denied": "You don't have permission to do this.",
  unavailable: "The service isn't available right now. Please try again in a minute.",
  "not-found": "We couldn't find what you're looking for.",
  "already-exists": "This already exists.",
  cancelled: "The operation was cancelled. Please try again.",
  "data-loss": "We couldn't read some of your data. Please contact support.",
  "deadline-exceeded": "This took too long. Please try again.",
  "failed-precondition": "This has changed in the meantime. Please check and try again.",
  internal: "Something went wrong on our side. Please try again.",
  "invalid-argument": "Something in this request isn't valid. Please check what you entered.",
  "out-of-range": "One of the values is out of range. Please check what you entered.",
  "resource-exhausted": "Too many requests. Please try again later.",
  unauthenticated: "Please log in to continue.",
} as const;
export type CatalogueCode = keyof typeof catalogue;

/** Refusals whose code the modal doesn't show. */
const uncoded = {
  "form/incomplete": "Please fill in all fields.",
  "account/denied": "Your agent account has been denied. Please contact support for more information.",
  "account/revoked": "Your agent access has been revoked. Please contact support for more information.",
  "account/invalid-role": "Invalid user role. Please contact support.",
  "account/second-factor": "Please enter the code from your authenticator app.",
  "account/passkey": "Please log in with your passkey.",
  "account/second-factor-required": "Your account needs two-step login. Please set it up first.",
  "account/mailbox-code": "Please enter the code we email you first.",
  "agent/unverified": "An agent can only be approved once their email address is verified.",
  "application/unconfirmed":
    "The student hasn't confirmed what will be sent. Please ask for their confirmation first.",
  "account/unverified": "Please verify your email address first.",
  "look/reason-required": "Please give a reason first. The student will see it.",
} as const;
type UncodedCode = keyof typeof uncoded;

export type ErrorCode = CatalogueCode | UncodedCode;
export const messageOf: Record<ErrorCode, string> = { ...catalogue, ...uncoded };

export const unexpectedError = "An unexpected error occurred. Please try again.";
export const unknownError = "An unknown error occurred.";
/** Precedes a request's id, which a user can quote to us, so that we find the entry in the log. */
export const quoteThis = "If you contact us about it, quote this number:";
/** Shown with the code not-found when a signed-in user has no account. */
export const profileNotFound = "User profile not found. Please contact support.";

/** A problem that a check found: its code, the message for the user and the field that it is about. */
export type Problem<Field extends string = string> = { code: ErrorCode; message: string; field?: Field };

export const isCatalogueCode = (code: string): code is CatalogueCode => Object.hasOwn(catalogue, code);

export const weakPassword = (message: string): Problem<"password"> => ({
  code: "auth/weak-password",
  message,
  field: "password",
});
/** Returns the catalogue's message with the configured minimum length. */
export const commonPassword = (minLength: number): Problem<"password"> =>
  weakPassword(catalogue["auth/weak-password"].replace(/\d+/, String(minLength)));
