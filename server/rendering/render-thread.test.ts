import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageConfiguration } from "#server/pages.ts";
import { type Wayfare, wayfare } from "#tests/support/wayfare.ts";
import type { Render } from "./render.ts";
import { openRenderThread } from "./render-thread.ts";

/** An application of three pages: one answers, one fails, one ends the thread that renders it. */
const application = `
  const answers = {
    "/fine": async () => new Response("fine"),
    "/fails": async () => { throw new Error("a page of the test fails"); },
    "/ends": () => { process.exit(1); },
  };
  class RouterContextProvider { set() {} }
  const createRequestHandler = () => (request) => answers[new URL(request.url).pathname]();
  export const entry = { module: { createRequestHandler, RouterContextProvider, setConfiguration() {} } };
`;

let w: Wayfare;
let folder: string;
let render: Render;
beforeAll(async () => {
  w = await wayfare();
  folder = await mkdtemp(join(tmpdir(), "wayfare-build-"));
  await mkdir(join(folder, "server"));
  await writeFile(join(folder, "server/index.js"), application);
  const configuration = pageConfiguration(w.services);
  render = openRenderThread({ folder, configuration }, w.services);
});
afterAll(async () => {
  await w.stop();
  await rm(folder, { recursive: true });
});

const request = (path: string) => ({ url: `http://localhost${path}`, requestId: "1" });
const textOf = async (path: string) => Buffer.from((await render(request(path))).text).toString();

test("a page that fails rejects with its error", async () => {
  await expect(render(request("/fails"))).rejects.toThrow("a page of the test fails");
  expect(await textOf("/fine")).toBe("fine");
});

test("when the thread ends its pages fail, and a new thread renders the next", async () => {
  const ended = await Promise.allSettled([render(request("/ends")), render(request("/ends"))]);
  expect(ended.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await textOf("/fine")).toBe("fine");
});
