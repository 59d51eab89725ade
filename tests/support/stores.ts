import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { storedFiles } from "#server/platform/orphans.ts";
import type { Wayfare } from "./wayfare.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** An S3 server, if the run has one (`npm run test:storage`): then all stores of the tests are its buckets. */
    s3: S3Access | undefined;
  }
}

export type S3Access = { host: string; key: string; secret: string };

/** Creates a client for tests with all rights of the key. */
export const s3Client = ({ host, key, secret }: S3Access): S3Client =>
  new S3Client({
    endpoint: `http://${host}`,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    region: "us-east-1",
    forcePathStyle: true,
  });

export const s3Url = ({ host, key, secret }: S3Access, bucket: string): string =>
  `s3://${encodeURIComponent(key)}:${encodeURIComponent(secret)}@${host}/${bucket}?insecure=true`;

/** Creates an empty bucket; returns its name. */
export async function newBucket(access: S3Access): Promise<string> {
  const bucket = `wayfare-${randomUUID()}`;
  const client = s3Client(access);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return bucket;
}

/**
 * Returns the environment of an empty store: a bucket if the run has an S3 server, otherwise the folder in DATA_DIR.
 */
export async function emptyStore(): Promise<{ STORAGE_URL?: string }> {
  const access = inject("s3");
  return access ? { STORAGE_URL: s3Url(access, await newBucket(access)) } : {};
}

/** Returns the folder in which a server writes incomplete files. */
export const incomingOf = ({ storageUrl, dataDir }: Wayfare["environment"]): string =>
  join(dataDir, storageUrl?.startsWith("s3:") ? "incoming" : "files/incoming");

/** Returns the keys of all files in the store, and of incomplete ones as `incoming/…`. */
export async function keysIn({ services, environment }: Wayfare): Promise<string[]> {
  const keys = (await readdir(incomingOf(environment))).map((name) => `incoming/${name}`);
  for await (const files of storedFiles(services.storage.disk, "/"))
    keys.push(...files.map(({ key }) => key).filter((key) => !key.startsWith("incoming/")));
  return keys.toSorted();
}
