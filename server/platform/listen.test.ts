import { expect, test } from "vitest";
import { refusalToListen } from "./listen.ts";

const pages = { variable: "PORT", port: 80, host: "203.0.113.1" } as const;
const metrics = { ...pages, variable: "METRICS_PORT" } as const;

test.each([
  ["EADDRINUSE", "PORT 80 is in use by another program: stop it, or set PORT to another one.", pages],
  ["EACCES", "PORT 80 is for root alone: set one from 1024 on, and put a proxy in front.", pages],
  ["EADDRNOTAVAIL", "203.0.113.1 is no address of this machine: set HOST to one of its own.", pages],
  [
    "EADDRNOTAVAIL",
    "203.0.113.1 is no address of this machine: set METRICS_HOST to one of its own.",
    metrics,
  ],
  ["EMFILE", null, pages],
])("%s is explained: %s", (code, sentence, listener) => {
  expect(refusalToListen(code, listener)).toBe(sentence);
});
