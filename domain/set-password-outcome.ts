/**
 * Credentials besides password and sessions that give access to an account, act for it or read its data. Numbers count
 * them.
 */
export type Credentials = {
  authenticator: boolean;
  passkeys: number;
  apiKeys: number;
  webhooks: number;
  calendar: boolean;
};

/** Credentials that ended when a password was set through an emailed link, and those that still work. */
export type SetPasswordOutcome = {
  ended: Credentials & { deletion: boolean };
  remaining: Pick<Credentials, "authenticator" | "passkeys">;
};

const amountOf = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];

/** Lists credentials: "1 passkey, 2 API keys and 1 webhook"; empty for none. */
function listOf({
  authenticator = false,
  passkeys = 0,
  apiKeys = 0,
  webhooks = 0,
  calendar = false,
}: Partial<Credentials>) {
  const names = [
    ...(authenticator ? ["the authenticator app"] : []),
    ...amountOf(passkeys, "passkey"),
    ...amountOf(apiKeys, "API key"),
    ...amountOf(webhooks, "webhook"),
    ...(calendar ? ["the address of your calendar"] : []),
  ];
  const [last = "", ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`;
}

/** Returns a sentence about the credentials that ended, or null if there are none. */
export function endedSentence(ended: Partial<Credentials>): string | null {
  const list = listOf(ended);
  return list === "" ? null : `Removed from your account: ${list}.`;
}

/** Returns the outcome as sentences for the screen and the email about it. */
export function outcomeSentences({ ended, remaining }: SetPasswordOutcome): string[] {
  const sentence = endedSentence(ended);
  const list = listOf(remaining);
  return [
    ...(ended.deletion ? ["Your account won't be deleted: the request for that is taken back."] : []),
    ...(sentence === null ? [] : [sentence]),
    ...(list === ""
      ? []
      : [
          `Still on your account: ${list}. If any of it isn't yours, remove it under Login and security, or write to us if you can't log in.`,
        ]),
  ];
}
