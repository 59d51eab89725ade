import type { TestProject } from "vitest/node";
import { openCeph } from "./ceph.ts";

/** Starts one S3 server for the whole run; each Wayfare of the tests has its own bucket. */
export default async function setup(project: TestProject) {
  const { access, stop } = await openCeph();
  project.provide("s3", access);
  return stop;
}
