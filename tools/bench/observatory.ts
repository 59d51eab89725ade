import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { buildPages } from "#scripts/build.ts";
import { tool } from "#scripts/tools.ts";
import { signUpForm } from "#tests/support/factories.ts";
import { freePort, type Server, startServer } from "#tests/support/server-process.ts";
import { openAuction } from "./open-auction.ts";
import { folderOnDisk } from "./server-fixture.ts";

const missing = "/no-such-page";
const result = z.object({
  grade: z.string(),
  score: z.number(),
  tests: z.record(z.string(), z.object({ result: z.string(), scoreModifier: z.number() })),
});
type Result = z.infer<typeof result>;

/** Runs the observatory in a separate process that trusts the certificate. */
const program = `const { scan } = await import(process.argv[1]);
const { scan: { grade, score }, tests } = await scan(process.argv[2]);
console.log(JSON.stringify({ grade, score, tests }));`;

/** Creates a key and a certificate of localhost for two days. */
function certificate(folder: string): { key: string; cert: string } {
  const files = { key: join(folder, "localhost.key"), cert: join(folder, "localhost.crt") };
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...name];
  execFileSync("openssl", [...words, "-keyout", files.key, "-out", files.cert], { stdio: "pipe" });
  return files;
}

/** Puts https in front of the server, like a proxy; a member's paths are requested with the member's cookies. */
async function terminate(
  port: number,
  to: Server,
  files: { key: string; cert: string },
  cookies: () => string,
) {
  const options = { key: readFileSync(files.key), cert: readFileSync(files.cert) };
  const proxy = createServer(options, (incoming, outgoing) => {
    const { url = "/", method, headers } = incoming;
    const cookie = url.startsWith("/student") ? { cookie: cookies() } : {};
    const inner = request(to.url + url, { method, headers: { ...headers, ...cookie } }, (answer) => {
      // The observatory scans no missing page, though its headers matter as much.
      outgoing.writeHead(url === missing ? 200 : (answer.statusCode ?? 500), answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(inner);
  });
  proxy.listen(port, "localhost");
  await once(proxy, "listening");
  return proxy;
}

async function scanPage(host: string, path: string, cert: string): Promise<Result> {
  const module = tool("@mdn/mdn-http-observatory/src/index.js");
  // An empty list of domains with preloaded https, which its installer would fetch: localhost is not on it.
  const preloaded = join(dirname(module), "../conf/hsts-preload.json");
  if (!existsSync(preloaded)) writeFileSync(preloaded, "{}");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "-e", program, module, host + path],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: cert } },
  );
  return result.parse(JSON.parse(stdout));
}

async function memberAt({ url }: Server): Promise<string> {
  const headers = { "content-type": "application/json", "x-csrf-token": "orpc" };
  const body = JSON.stringify({ json: signUpForm() });
  const answer = await fetch(`${url}/rpc/account/signUp`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}

/** Runs MDN's observatory on pages of each kind, behind https; returns whether each got an A+. */
export async function observatory(): Promise<boolean> {
  buildPages();
  const folder = await folderOnDisk();
  const files = certificate(dirname(folder.path));
  const port = await freePort();
  const server = await startServer({
    DATA_DIR: folder.path,
    BASE_URL: `https://localhost:${port}`,
    TRUST_PROXY: "1",
  });
  let cookies = "";
  const proxy = await terminate(port, server, files, () => cookies);
  try {
    const product = await openAuction(server);
    cookies = await memberAt(server);
    let isGood = true;
    for (const path of ["/", "/login", "/auctions", product, "/student-dashboard", missing]) {
      const { grade, score, tests } = await scanPage(`localhost:${port}`, path, files.cert);
      isGood &&= grade === "A+";
      console.log(`${grade.padEnd(3)} ${score} ${path}`);
      for (const [name, test] of Object.entries(tests))
        if (test.scoreModifier < 0) console.log(`     ${test.scoreModifier} ${name}: ${test.result}`);
    }
    return isGood;
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
    await folder.remove();
  }
}

/** `npm run observatory` */
if (import.meta.main) process.exitCode = (await observatory()) ? 0 : 1;
