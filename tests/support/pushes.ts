import { FakeBrowser, type PushService } from "#tests/fakes/push-service.ts";
import type { Person } from "./factories.ts";
import { until, type Wayfare } from "./wayfare.ts";

/** Subscribes a person's browser, in their caller's session. */
export async function subscribedBrowser(
  w: Wayfare,
  { caller }: Pick<Person, "caller">,
  service: PushService,
): Promise<FakeBrowser> {
  const browser = new FakeBrowser(service, w.services.pushKeys.publicKey);
  const { code, message } = await caller.call("push.subscribe", browser.subscription);
  if (code !== null) throw new Error(`the browser was not subscribed: ${code} ${message}`);
  return browser;
}

type PushState = "created" | "retry" | "active" | "completed" | "failed";

/** Returns the states of a person's queued pushes, the oldest first. */
export async function pushesOf(w: Wayfare, { id }: Pick<Person, "id">): Promise<PushState[]> {
  const { rows } = await w.services.database.pool.query<{ state: PushState }>(
    "select state from jobs.job where name = 'push' and data ->> 'userId' = $1 order by created_on, id",
    [id],
  );
  return rows.map(({ state }) => state);
}

/** Makes a person's waiting pushes due; with `isLast`, for the last time. */
export async function pushesAreDue(
  w: Wayfare,
  { id }: Pick<Person, "id">,
  { isLast = false } = {},
): Promise<void> {
  await w.services.database.pool.query(
    `update jobs.job set start_after = now()${isLast ? ", retry_count = retry_limit - 1" : ""}
     where name = 'push' and data ->> 'userId' = $1 and state in ('created', 'retry')`,
    [id],
  );
}

/** Waits until a person has no more pushes to be sent. */
export const pushesAreDone = (w: Wayfare, who: Pick<Person, "id">): Promise<true> =>
  until(
    async () => (await pushesOf(w, who)).every((state) => state === "completed" || state === "failed"),
    () => pushesOf(w, who),
  );
