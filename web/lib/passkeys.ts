import { hasCode } from "#domain/friendly-error.ts";
import { passkeyExists } from "#domain/passkey.ts";
import { whenOnline } from "./online.ts";
import { CataloguedError } from "./request.ts";
import { rpc } from "./rpc.ts";
import { welcome } from "./welcome.ts";

/** Loaded when somebody uses a passkey, not with the page. */
const library = whenOnline(() => import("@simplewebauthn/browser"));

/** What went wrong at the authenticator, by a code of ours where it has one. */
function failureAt(error: unknown): unknown {
  const name = error instanceof Error ? error.name : "";
  // Whoever closes the browser's dialog, waits too long in it, or has no passkey. It does not tell which.
  if (name === "NotAllowedError" || name === "AbortError") return new CataloguedError("cancelled", error);
  return name === "InvalidStateError" ? new Error(passkeyExists, { cause: error }) : error;
}

async function atAuthenticator<Answer>(
  ask: (browser: Awaited<ReturnType<typeof library>>) => Promise<Answer>,
): Promise<Answer> {
  if (!("PublicKeyCredential" in window))
    throw new Error("Your browser doesn't support passkeys. Please use your password.");
  const browser = await library();
  try {
    return await ask(browser);
  } catch (error) {
    throw failureAt(error);
  }
}

const notUsed = "No passkey was used. Please try again, or use your password.";

type RequestOptions = Awaited<ReturnType<typeof rpc.account.passkeyChallenge>>;
const prove = (optionsJSON: RequestOptions) =>
  atAuthenticator(({ startAuthentication }) => startAuthentication({ optionsJSON })).catch(
    (error: unknown) => {
      throw hasCode(error, "cancelled") ? new Error(notUsed, { cause: error }) : error;
    },
  );

/** Logs in whoever's passkey it is that the person chooses. */
export async function logInWithPasskey(): Promise<void> {
  const passkey = await prove(await rpc.account.passkeyChallenge());
  await welcome(await rpc.account.signInWithPasskey({ passkey }));
}

/** Proves again who is logged in. */
export async function confirmWithPasskey(): Promise<void> {
  const passkey = await prove(await rpc.account.confirmationChallenge());
  await rpc.account.confirmWithPasskey({ passkey });
}

/** Makes a passkey for the account. */
export async function addPasskey(): Promise<void> {
  const optionsJSON = await rpc.signInMethods.startPasskey();
  const passkey = await atAuthenticator(({ startRegistration }) => startRegistration({ optionsJSON }));
  await rpc.signInMethods.addPasskey({ passkey });
}
