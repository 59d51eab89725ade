import { randomUUID } from "node:crypto";
import { Agent, get } from "node:http";
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { signUpForm } from "#tests/support/factories.ts";
import { callFrom } from "./call.ts";

/** The address that the whole attack comes from. */
const attacker = "192.0.2.1";
export const attack = z.object({
  url: z.string(),
  cookies: z.array(z.string()),
  downloads: z.array(z.string()),
  picture: z.instanceof(Uint8Array),
});
const pagesInFlight = 400;
const signUpsInFlight = 40;

// The attacker's machine is another one, so its work must not take the processor from the server's.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

/** Runs in a separate thread, so that its work is not measured with that of other users. */
const { url, cookies, downloads, picture } = attack.parse(workerData);
const answers = new Map<string, number>();
let answered = 0;
function count(what: string, status: number): void {
  answers.set(`${what} ${status}`, (answers.get(`${what} ${status}`) ?? 0) + 1);
  answered += 1;
  if (answered === pagesInFlight) parentPort?.postMessage("under way");
}
const stop = new AbortController();

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const loadPage = (path: string) =>
  new Promise<number>((resolve) => {
    const request = get(url + path, { agent, headers: { "x-forwarded-for": attacker } }, (response) => {
      response.resume().on("close", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(0));
  });

async function keepGoing(what: string, send: () => Promise<number>): Promise<void> {
  while (!stop.signal.aborted) count(what, await send());
}

async function upload(cookie: string): Promise<number> {
  const { status } = await fetch(`${url}/files/auction-pictures`, {
    method: "POST",
    headers: {
      "content-type": "application/octet-stream",
      "x-csrf-token": "orpc",
      "x-forwarded-for": attacker,
      cookie,
    },
    body: picture,
  });
  return status;
}

// These answers are never read.
for (const [at, cookie] of cookies.slice(0, downloads.length).entries())
  get(url + downloads[at], { headers: { "x-forwarded-for": attacker, cookie } }, (response) => {
    count("download", response.statusCode ?? 0);
    response.pause();
  }).on("error", () => {});
void Promise.all([
  ...Array.from({ length: pagesInFlight }, () =>
    keepGoing("page", () => loadPage(`/product/${randomUUID()}`)),
  ),
  ...Array.from({ length: signUpsInFlight }, () =>
    keepGoing("sign-up", async () => (await callFrom(url, attacker, "account/signUp", signUpForm())).status),
  ),
  ...cookies.map((cookie) => keepGoing("picture", () => upload(cookie))),
]);
parentPort?.once("message", () => {
  stop.abort();
  // The thread ends without waiting for missing answers.
  parentPort?.postMessage([...answers].map(([what, number]) => `${number} × ${what}`).join(", "));
});
