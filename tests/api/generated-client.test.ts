import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "@hono/node-server";
import generateTypes from "openapi-typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { submit } from "#tests/support/applications.ts";
import { product } from "#tests/support/auctions.ts";
import { type Person, person } from "#tests/support/factories.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const program = fileURLToPath(new URL("program.ts", import.meta.url));

let w: Wayfare;
let url: string;
let folder: string;
let server: ReturnType<typeof serve>;
beforeAll(async () => {
  w = await wayfare();
  folder = await mkdtemp(join(tmpdir(), "wayfare-client-"));
  server = serve({ fetch: w.app.fetch, port: 0, hostname: "127.0.0.1" });
  if (!server.listening) await once(server, "listening");
  const address = server.address();
  url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
  await w.stop();
});

async function keyOf(admin: Person): Promise<string> {
  const scopes = [
    "students:read",
    "applications:read",
    "applications:write",
    "auctions:read",
    "auctions:write",
  ];
  const { body } = await admin.caller.call("apiKeys.create", { name: "CRM", scopes, days: 30 });
  return Object(body).key;
}

test("a program with a client that is generated from the document compiles and works", async () => {
  const types = await generateTypes(new URL("/api/openapi.json", url));
  await writeFile(join(folder, "wayfare-api.ts"), types);
  const tsconfig = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      typeRoots: [join(root, "node_modules/@types")],
      paths: { "wayfare-api": [join(folder, "wayfare-api.ts")] },
    },
    files: [program],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  const compiled = await run("npx", ["tsc", "-p", folder], { cwd: root }).catch((error: unknown) =>
    Object(error),
  );
  expect(compiled.stdout).toBe("");

  const admin = await person(w, "admin", "active");
  const students = await Promise.all(Array.from({ length: 3 }, () => person(w, "student", "active")));
  for (const student of students) await submit(student);
  const productId = await product(w, await person(w, "agent", "approved"));
  const { stdout } = await run(process.execPath, [program, url, await keyOf(admin), productId]);
  const report = JSON.parse(stdout);
  expect(report.students.toSorted()).toEqual(students.map(({ email }) => email).toSorted());
  expect(report).toMatchObject({
    moved: ["inReview", "inReview", "inReview"],
    bids: [
      [50_000, true],
      [30_000, true],
      [20_000, true],
    ],
  });
});
