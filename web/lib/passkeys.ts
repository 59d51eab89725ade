import { hasCode } from "#domain/friendly-error.ts";
import { passkeyExists } from "#domain/passkey.ts";
import { whenOnline } from "./online.ts";
import { CataloguedError } from "./request.ts";
import { rpc } from "./rpc.ts";
import { welcome } from "./welcome.ts";

/** Lazy-loaded when a passkey is used. */
const library = whenOnline(() => import("@simplewebauthn/browser"));

const unusable =
  "Passkeys can't be used in this browser or on this device. Please try another one, or your password.";

/** Turns an error of the browser or the authenticator, which is worded for developers, into one for people. */
function readableError(error: unknown): Error {
  const name = error instanceof Error ? error.name : "";
  // The person closed the browser's dialog, let it time out, or has no passkey: the browser doesn't say which.
  if (name === "NotAllowedError" || name === "AbortError") return new CataloguedError("cancelled", error);
  return new Error(name === "InvalidStateError" ? passkeyExists : unusable, { cause: error });
}

async function withAuthenticator<Answer>(
  ask: (browser: Awaited<ReturnType<typeof library>>) => Promise<Answer>,
): Promise<Answer> {
  if (!("PublicKeyCredential" in window)) throw new Error(unusable);
  const browser = await library();
  try {
    return await ask(browser);
  } catch (error) {
    throw readableError(error);
  }
}

const notUsed = "No passkey was used. Please try again, or use your password.";

type RequestOptions = Awaited<ReturnType<typeof rpc.account.passkeyChallenge>>;
const prove = (optionsJSON: RequestOptions) =>
  withAuthenticator(({ startAuthentication }) => startAuthentication({ optionsJSON })).catch(
    (error: unknown) => {
      throw hasCode(error, "cancelled") ? new Error(notUsed, { cause: error }) : error;
    },
  );

/** Logs in with a passkey that the person chooses. */
export async function logInWithPasskey(): Promise<void> {
  const passkey = await prove(await rpc.account.passkeyChallenge());
  await welcome(await rpc.account.signInWithPasskey({ passkey }));
}

/** Confirms with a passkey that the person is the one who is logged in. */
export async function confirmWithPasskey(): Promise<void> {
  const passkey = await prove(await rpc.account.confirmationChallenge());
  await rpc.account.confirmWithPasskey({ passkey });
}

/** Adds a passkey to the account. */
export async function addPasskey(): Promise<void> {
  const optionsJSON = await rpc.signInMethods.startPasskey();
  const passkey = await withAuthenticator(({ startRegistration }) => startRegistration({ optionsJSON }));
  await rpc.signInMethods.addPasskey({ passkey });
}
