import pg from "pg";
import type { Violation } from "#tests/history/operation.ts";
import { uploadHeaders } from "#tests/support/documents.ts";
import { goodPassword, signUpForm } from "#tests/support/factories.ts";
import { pdf } from "#tests/support/files.ts";
import type { Cluster } from "./cluster.ts";

/** A browser without sticky sessions. */
class Browser {
  readonly #cookies = new Map<string, string>();

  get #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("cookie", this.#cookie);
    const response = await fetch(url, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return response;
  }

  /** Returns the status and the text of the answer. */
  async call(node: { url: string }, procedure: string, input: object = {}) {
    const response = await this.request(`${node.url}/rpc/${procedure}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": "orpc" },
      body: JSON.stringify({ json: input }),
    });
    return { status: response.status, text: await response.text() };
  }

  copy(): Browser {
    const copy = new Browser();
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }
}

/** Polls for at most five seconds. */
async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + 5_000;
  while (!(await holds())) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** Checks that logins, logouts, limits, recent logins and files of one node hold on the others. */
export async function withoutStickySessions({ nodes, address }: Cluster): Promise<Violation[]> {
  const [one, two, three] = nodes;
  const wrong: string[] = [];
  const expect = (what: string, holds: boolean) => {
    if (!holds) wrong.push(what);
  };
  const database = new pg.Client(address);
  await database.connect();
  const form = signUpForm();
  const browser = new Browser();
  await browser.call(one, "account/signUp", form);
  const login = { email: form.email, password: goodPassword };
  expect("a login on another node", (await browser.call(two, "account/signIn", login)).status === 200);
  const isSignedIn = async (who: Browser, node: { url: string }) =>
    (await who.call(node, "account/me")).text.includes(form.email);
  expect("a session on every node", await isSignedIn(browser, three));

  await database.query(`update "user" set status = 'active', email_verified = true where email = $1`, [
    form.email,
  ]);
  const upload = await browser.request(`${one.url}/files/documents/cv`, {
    method: "POST",
    headers: uploadHeaders("cv.pdf"),
    body: new Uint8Array(pdf()),
  });
  const { id }: { id?: string } = JSON.parse(await upload.text());
  const link = await browser.call(two, "documents/link", { documentId: id, mode: "download" });
  const { json }: { json: { url?: string } } = JSON.parse(link.text);
  const file = await browser.request(`${three.url}${json.url}`);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect("a file that came through one, by a link of another, from a third", bytes.equals(pdf()));

  await database.query(
    `update session set proved_at = now() - interval '16 minutes'
     where user_id = (select id from "user" where email = $1)`,
    [form.email],
  );
  // The restarted node has no cached session, which other nodes trust for half a minute.
  await one.stop();
  await one.start();
  const answer = await browser.call(one, "account/dataLink");
  expect("an old login is refused", answer.text.includes("auth/requires-recent-login"));
  await browser.call(two, "account/confirmIdentity", { password: goodPassword, code: "" });
  for (const node of nodes)
    expect(
      "a login that is confirmed on one node is recent on all",
      await eventually(async () => (await browser.call(node, "account/dataLink")).status === 200),
    );

  const other = browser.copy();
  for (const node of nodes) expect("a session in use", await isSignedIn(other, node));
  const stream = await other.request(`${three.url}/live?topics=account`);
  const streamed = stream.text();
  await browser.call(one, "account/signOut");
  for (const node of nodes)
    expect(
      "a session that ended on one is refused on all",
      await eventually(async () => !(await isSignedIn(other, node))),
    );
  expect("and its stream says so", (await streamed).includes("signed-out"));

  const guess = { email: form.email, password: "wrong" };
  const guesses: number[] = [];
  for (let times = 0; times < 15; times++)
    guesses.push((await new Browser().call(nodes[times % 3] ?? one, "account/signIn", guess)).status);
  expect(
    `guesses are counted together: ${guesses.join()}`,
    guesses.slice(-3).every((status) => status === 429),
  );
  await database.end();
  return wrong.map((detail) => ({ rule: "every call is answered", detail }));
}
