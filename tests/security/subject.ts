import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dataFolder, type Server, startServer } from "#tests/support/server-process.ts";
import { leads, password } from "#tools/demo/people.ts";

const demo = fileURLToPath(new URL("../../tools/demo/main.ts", import.meta.url));

/** A role, with the Cookie header of its session; a visitor has none. */
export type Role = { name: string; cookie: string };

/** A Wayfare to attack, filled by the demo, in a separate process. */
export type Subject = {
  server: Server;
  roles: readonly Role[];
  /** The address of every page, including those of the demo's data. */
  paths: readonly string[];
  productId: string;
  stop(): Promise<void>;
};

const routes = fileURLToPath(new URL("../../web/routes.ts", import.meta.url));
/** Returns the paths of all pages as written in the routes. */
async function pages(): Promise<string[]> {
  const matches = (await readFile(routes, "utf8")).matchAll(/\broute\("([^"*]+)"/g);
  return ["/", ...[...matches].map(([, path = ""]) => `/${path}`)];
}

const accounts: Record<string, string> = {
  student: leads.student,
  agent: leads.agent,
  "waiting agent": leads.waitingAgent,
  admin: "admin@wayfare.example",
};

export async function call(url: string, procedure: string, input: object, cookie = ""): Promise<Response> {
  return await fetch(`${url}/rpc/${procedure.replace(".", "/")}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-csrf-token": "orpc", cookie },
    body: JSON.stringify({ json: input }),
  });
}

async function signIn({ url }: Server, [name, email]: [string, string]): Promise<Role> {
  const response = await call(url, "account.signIn", { email, password });
  if (response.status !== 200) throw new Error(`${name} can't log in: ${await response.text()}`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { name, cookie: cookies.join("; ") };
}

/** Returns the id of a student whom the role may see, or an unknown id if there is none. */
export async function studentFor({ url }: Server, { cookie }: Role): Promise<string> {
  const own = await (await call(url, "account.me", {}, cookie)).text();
  const [, ownId] = /"id":"([\w-]+)","role":"student"/.exec(own) ?? [];
  const students = await (await call(url, "students.list", {}, cookie)).text();
  const [, listedId] = /"students":\[\{"id":"([\w-]+)"/.exec(students) ?? [];
  return ownId ?? listedId ?? "lamp";
}

export async function openSubject(): Promise<Subject> {
  const folder = await dataFolder();
  // Behind a proxy, a scanner can use another address for each request, so that limits per address hide nothing.
  const variables = { DATA_DIR: folder.path, TRUST_PROXY: "1", LOG_FORMAT: "json" };
  const server = await startServer(variables, [process.execPath, demo]);
  const signedIn: Role[] = [];
  for (const each of Object.entries(accounts)) signedIn.push(await signIn(server, each));
  const products: unknown = await (await call(server.url, "auctions.list", {})).json();
  const [, productId = ""] = /"products":\[\{"id":"([\w-]+)"/.exec(JSON.stringify(products)) ?? [];
  if (productId === "") throw new Error("the demo has no items");
  const paths = (await pages()).map((path) => path.replace(":productId", productId));
  return {
    server,
    productId,
    roles: [{ name: "visitor", cookie: "" }, ...signedIn],
    paths,
    async stop() {
      await server.stop();
      await folder.remove();
    },
  };
}

/** Returns the lines of its log that report a failure. */
export const bugsOf = ({ server }: Subject): string[] =>
  server.lines.filter((line) => line.startsWith("{") && line.includes('"level":50'));
