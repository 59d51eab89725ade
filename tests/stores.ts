import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { storedFiles } from "#server/platform/orphans.ts";
import type { Wayfare } from "./wayfare.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** An S3 server, where the run has one (`npm run test:storage`): then all stores of the tests are its buckets. */
    s3: S3Access | undefined;
  }
}

export type S3Access = { host: string; key: string; secret: string };

/** A client of the tests' own, which may do whatever the server lets a key do. */
export const s3Client = ({ host, key, secret }: S3Access): S3Client =>
  new S3Client({
    endpoint: `http://${host}`,
    credentials: { accessKeyId: key, secretAccessKey: secret },
    region: "us-east-1",
    forcePathStyle: true,
  });

export const s3Url = ({ host, key, secret }: S3Access, bucket: string): string =>
  `s3://${encodeURIComponent(key)}:${encodeURIComponent(secret)}@${host}/${bucket}?insecure=true`;

/** An empty bucket; its name. */
export async function newBucket(access: S3Access): Promise<string> {
  const bucket = `wayfare-${randomUUID()}`;
  const client = s3Client(access);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return bucket;
}

/** The environment of an empty store: a bucket where the run has an S3 server, otherwise the folder in DATA_DIR. */
export async function emptyStore(): Promise<{ STORAGE_URL?: string }> {
  const access = inject("s3");
  return access ? { STORAGE_URL: s3Url(access, await newBucket(access)) } : {};
}

/** Where a server writes files before they are whole. */
export const incomingOf = ({ storageUrl, dataDir }: Wayfare["environment"]): string =>
  join(dataDir, storageUrl?.startsWith("s3:") ? "incoming" : "files/incoming");

/** The keys of all files in the store, and of what is on its way in as `incoming/…`. */
export async function keysIn({ services, environment }: Wayfare): Promise<string[]> {
  const keys = (await readdir(incomingOf(environment))).map((name) => `incoming/${name}`);
  for await (const files of storedFiles(services.storage.disk, "/"))
    keys.push(...files.map(({ key }) => key).filter((key) => !key.startsWith("incoming/")));
  return keys.toSorted();
}
