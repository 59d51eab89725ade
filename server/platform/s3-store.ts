import { createReadStream } from "node:fs";
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { Disk } from "flydrive";
import { S3Driver } from "flydrive/drivers/s3";
import type { DriverContract } from "flydrive/types";
import { errorCode } from "./error-code.ts";
import type { Store } from "./storage.ts";

/** Bytes of a file that are sent per part and held in memory; S3 accepts no smaller parts. */
const partSize = 5 * 1024 * 1024;

/** Milliseconds for a connection, and for the beginning of an answer. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true };
/** Milliseconds for checking whether the store can be used. */
const probeTimeout = 5_000;

/** Opens the store at `s3://KEY:SECRET@HOST/BUCKET?region=REGION`; `insecure=true` if it uses plain http. */
export function openS3Store(address: URL, draftsIn: string): Store {
  const scheme = address.searchParams.get("insecure") === "true" ? "http" : "https";
  const bucket = decodeURIComponent(address.pathname.slice(1));
  const client = new S3Client({
    credentials: {
      accessKeyId: decodeURIComponent(address.username),
      secretAccessKey: decodeURIComponent(address.password),
    },
    endpoint: `${scheme}://${address.host}`,
    // Stores other than Amazon's have no host name for each bucket, nor its newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    region: address.searchParams.get("region") ?? "us-east-1",
    requestHandler: timeouts,
  });
  const driver: DriverContract = new S3Driver({ client, bucket, supportsACL: false, visibility: "private" });
  const server = `The S3 store at ${address.host} (STORAGE_URL)`;

  return {
    disk: new Disk(driver),
    draftsIn,

    /** Uploads in parts, because a failed part can be sent again and a whole stream can't. */
    async take(draft, key) {
      const body = createReadStream(draft);
      try {
        const params = { Bucket: bucket, Key: key, Body: body };
        await new Upload({ client, params, partSize, queueSize: 1 }).done();
      } finally {
        body.destroy();
      }
    },

    async problem() {
      try {
        const command = new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 });
        await client.send(command, { abortSignal: AbortSignal.timeout(probeTimeout) });
        return null;
      } catch (error) {
        const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500;
        const reason = errorCode(error) ?? (error instanceof Error ? error.name : "");
        return status < 500
          ? {
              kind: "refused",
              sentence: `${server} refuses the bucket ${bucket}: ${reason}. Check the key, its secret, the bucket's name and the region.`,
            }
          : {
              kind: "unreachable",
              sentence: `${server} can't be reached: ${reason}. Check that it is running, that host and port are right, and that no firewall is in between.`,
            };
      }
    },

    /** Removes at most a thousand, the most that S3 lists at a time. */
    async removeUnfinished(before) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Initiated && Initiated < before)
          await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    },

    freeBytes: async () => null,
  };
}
